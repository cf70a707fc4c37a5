import { type Either, isLeft } from 'fp-ts/lib/Either.js';
import { type Credits, add, creditsOf, creditsText, isWithinRange, negate, zeroCredits } from '../kernel/credits.js';
import { dataOf, type Decider, nothing, record, refuse } from '../kernel/decider.js';
import type { Timestamp } from '../kernel/timestamp.js';
import type {
  AdmitSpending,
  ChargeCredits,
  CreditAccountCommand,
  CreditAccountEvent,
  CreditAccountRefusal,
  Entry,
  HoldCredits,
  SetSpendingWindow,
} from './contract.js';
import {
  CreditAccountState,
  heldAt,
  holdsAt,
  withoutHold,
  spendingFallsAt,
  spentWithin,
  withCharge,
  withId,
} from './state.js';

type Decision = Either<CreditAccountRefusal, ReadonlyArray<CreditAccountEvent>>;

const evolve = (state: CreditAccountState, event: CreditAccountEvent): CreditAccountState => {
  const last_at = event.data.at;
  switch (event.type) {
    case 'CreditsGranted':
    case 'CreditsCorrected':
      return { ...state, last_at, balance: creditsOf(event.data.balance_after) };
    case 'CreditsCharged': {
      const { charge_id, amount, balance_after } = event.data;
      const charged = withId(state.charged, charge_id);
      const recent = withCharge(state.recent, last_at, creditsOf(amount));
      const holds = withoutHold(state.holds, charge_id);
      return { ...state, last_at, charged, recent, holds, balance: creditsOf(balance_after) };
    }
    case 'CreditsHeld': {
      const { hold_id, amount, lapses_at } = event.data;
      const hold = { hold_id, amount: creditsOf(amount), lapses_at };
      return { ...state, last_at, holds: [...holdsAt(state.holds, last_at), hold] };
    }
    case 'HoldReleased':
      return { ...state, last_at, holds: withoutHold(state.holds, event.data.hold_id) };
    case 'SpendingWindowSet': {
      const { limit, period_seconds } = event.data;
      return { ...state, last_at, window: { limit, period_seconds } };
    }
    case 'SpendingWindowCleared':
      return { ...state, last_at, window: null };
  }
};

/** The date of a new entry: never earlier than the last entry, even if the machines' clocks differ. */
const bookingTime = ({ last_at }: CreditAccountState, at: Timestamp): Timestamp =>
  last_at !== null && last_at > at ? last_at : at;

const booked = (state: CreditAccountState, { amount, reason, at }: Entry, balance: Credits) => ({
  amount: creditsText(amount),
  balance_after: creditsText(balance),
  reason,
  at: bookingTime(state, at),
});

const invalid = (amount: Credits): Decision => refuse({ _tag: 'InvalidAmount', amount });

const put = (state: CreditAccountState, entry: Entry, type: 'CreditsGranted' | 'CreditsCorrected'): Decision => {
  const balance = add(state.balance, entry.amount);
  return isWithinRange(balance)
    ? record<CreditAccountEvent>({ type, data: booked(state, entry, balance) })
    : refuse({ _tag: 'BalanceOutOfRange', balance });
};

const charge = (state: CreditAccountState, command: ChargeCredits): Decision => {
  const { charge_id, amount, run_id, session_id, audio_id } = command;
  if (amount < zeroCredits) return invalid(amount);
  if (state.charged.includes(charge_id)) return nothing;
  const entry = booked(state, command, add(state.balance, negate(amount)));
  return record<CreditAccountEvent>({
    type: 'CreditsCharged',
    data: { ...entry, charge_id, run_id, session_id, audio_id },
  });
};

const setWindow = (state: CreditAccountState, { limit, period_seconds, at }: SetSpendingWindow): Decision => {
  if (limit < zeroCredits) return invalid(limit);
  const wanted = { limit: creditsText(limit), period_seconds };
  const { window } = state;
  return window !== null && window.limit === wanted.limit && window.period_seconds === period_seconds
    ? nothing
    : record<CreditAccountEvent>({ type: 'SpendingWindowSet', data: { ...wanted, at: bookingTime(state, at) } });
};

/**
 * Admission; no event if granted. What a call may cost must fit into the spending window, beside what is spent and held.
 * `AllCreditsHeld` means that holds alone prevent it.
 */
const admit = (
  { balance, window, recent, holds }: CreditAccountState,
  { amount, max_credits, at }: Pick<AdmitSpending, 'amount' | 'max_credits' | 'at'>,
): Decision => {
  if (amount < zeroCredits) return invalid(amount);
  if (balance === zeroCredits) return refuse({ _tag: 'ZeroBalance' });
  if (balance < zeroCredits) return refuse({ _tag: 'NegativeBalance', balance });
  const held = heldAt(holds, at);
  if (window !== null) {
    const { period_seconds } = window;
    const limit = creditsOf(window.limit);
    const spent = spentWithin(recent, period_seconds, at);
    const fits = (used: Credits): boolean => used < limit && add(used, amount) <= limit;
    if (!fits(spent)) {
      const opens_at = spendingFallsAt(recent, fits, period_seconds);
      return refuse({ _tag: 'WindowUsedUp', limit, spent, amount, opens_at });
    }
    if (!fits(add(spent, held))) return refuse({ _tag: 'AllCreditsHeld', of: 'window', held });
  }
  if (balance <= held) return refuse({ _tag: 'AllCreditsHeld', of: 'balance', held });
  return max_credits !== null && amount > max_credits
    ? refuse({ _tag: 'AboveMaxCredits', amount, max_credits })
    : nothing;
};

const isHeld = ({ holds }: CreditAccountState, hold_id: string): boolean =>
  holds.some((hold) => hold.hold_id === hold_id);

const hold = (state: CreditAccountState, command: HoldCredits): Decision => {
  const { max_credits: _max, ...wanted } = dataOf(command);
  const { hold_id, amount, at } = wanted;
  if (isHeld(state, hold_id) || state.charged.includes(hold_id)) return nothing;
  const admission = admit(state, command);
  return isLeft(admission) || amount === zeroCredits
    ? admission
    : record<CreditAccountEvent>({
        type: 'CreditsHeld',
        data: { ...wanted, amount: creditsText(amount), at: bookingTime(state, at) },
      });
};

/** The credits of one account: balance, charges, holds and spending window (specification, 4.2 and 8). */
export const creditAccount: Decider<
  CreditAccountCommand,
  CreditAccountState,
  CreditAccountEvent,
  CreditAccountRefusal
> = {
  category: 'creditAccount',
  initial: {
    balance: zeroCredits,
    charged: [],
    recent: { before: zeroCredits, list: [] },
    window: null,
    holds: [],
    last_at: null,
  },
  evolve,
  snapshot: { version: 2, codec: CreditAccountState },
  decide: (command, state) => {
    switch (command.type) {
      case 'GrantCredits':
        return command.amount > zeroCredits ? put(state, command, 'CreditsGranted') : invalid(command.amount);
      case 'CorrectCredits':
        return command.amount === zeroCredits ? invalid(command.amount) : put(state, command, 'CreditsCorrected');
      case 'ChargeCredits':
        return charge(state, command);
      case 'SetSpendingWindow':
        return setWindow(state, command);
      case 'ClearSpendingWindow':
        return state.window === null
          ? nothing
          : record<CreditAccountEvent>({
              type: 'SpendingWindowCleared',
              data: { at: bookingTime(state, command.at) },
            });
      case 'AdmitSpending':
        return admit(state, command);
      case 'HoldCredits':
        return hold(state, command);
      case 'ReleaseHold':
        return isHeld(state, command.hold_id)
          ? record<CreditAccountEvent>({
              type: 'HoldReleased',
              data: { ...dataOf(command), at: bookingTime(state, command.at) },
            })
          : nothing;
    }
  },
};
