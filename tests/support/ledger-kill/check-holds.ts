import { creditAccountEvents } from '../../../domain/credit-account/contract.js';
import { creditAccount } from '../../../domain/credit-account/decider.js';
import { type CreditAccountState, heldAt } from '../../../domain/credit-account/state.js';
import {
  type Credits,
  add,
  creditsOf,
  creditsText,
  negate,
  subtract,
  zeroCredits,
} from '../../../domain/kernel/credits.js';
import { isEventOf } from '../../../domain/kernel/recorded-event.js';
import type { Recorded, WholeLog } from '../kill-nine/log.js';

const isAccountEvent = isEventOf(creditAccountEvents);

interface Seen {
  readonly state: CreditAccountState;
  /** The sum of negative corrections: an admin may overdraw an account without limit. */
  readonly corrected: Credits;
  readonly largestHold: Credits;
  readonly wrong: ReadonlyArray<string>;
}

const wrongIn = ({ state }: Seen, { stream, event }: Recorded): ReadonlyArray<string> => {
  if (event.type === 'CreditsHeld') {
    const { hold_id, at } = event.data;
    const free = subtract(state.balance, heldAt(state.holds, at));
    return free > zeroCredits ? [] : [`${stream}: ${hold_id} was admitted with ${creditsText(free)} free`];
  }
  if (event.type !== 'CreditsCharged' || event.data.run_id === null) return [];
  const { run_id } = event.data;
  return state.holds.some(({ hold_id }) => hold_id === run_id)
    ? []
    : [`${stream}: ${event.data.run_id} was charged without a hold`];
};

const overdrawn = (stream: string, { state, corrected, largestHold }: Seen): ReadonlyArray<string> =>
  add(state.balance, corrected) >= negate(largestHold) ? [] : [`${stream}: overdrawn to ${creditsText(state.balance)}`];

const step = (seen: Seen, recorded: Recorded): Seen => {
  const { event, stream } = recorded;
  if (!isAccountEvent(event)) return seen;
  const amount =
    event.type === 'CreditsHeld' || event.type === 'CreditsCorrected' ? creditsOf(event.data.amount) : zeroCredits;
  const next: Seen = {
    state: creditAccount.evolve(seen.state, event, recorded.revision),
    corrected:
      event.type === 'CreditsCorrected' && amount < zeroCredits ? subtract(seen.corrected, amount) : seen.corrected,
    largestHold: event.type === 'CreditsHeld' && amount > seen.largestHold ? amount : seen.largestHold,
    wrong: [],
  };
  return { ...next, wrong: [...seen.wrong, ...wrongIn(seen, recorded), ...overdrawn(stream, next)] };
};

/** Charges without a hold, and accounts that were overdrawn by more than the largest hold. */
export const wrongHolds = ({ streams }: WholeLog): ReadonlyArray<string> =>
  Object.entries(streams)
    .filter(([stream]) => stream.startsWith('creditAccount-'))
    .flatMap(([, events]) => {
      const none: Seen = { state: creditAccount.initial, corrected: zeroCredits, largestHold: zeroCredits, wrong: [] };
      return events.reduce(step, none).wrong;
    });
