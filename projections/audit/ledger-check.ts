import * as E from 'fp-ts/lib/Either.js';
import type { CreditAccountEvent } from '../../domain/credit-account/contract.js';
import { type DomainEvent, decodeEvent } from '../../domain/event-catalogue.js';
import { type Credits, add, creditsOf, creditsText, negate, zeroCredits } from '../../domain/kernel/credits.js';
import type { LoggedEvent } from './event-hash.js';
import { type Fault, faultAt } from './fault.js';
import { streamCategory } from '../../domain/kernel/stream-name.js';

type Booking = Extract<CreditAccountEvent, { type: 'CreditsGranted' | 'CreditsCorrected' | 'CreditsCharged' }>;

const isBooking = (event: DomainEvent): event is Booking =>
  event.type === 'CreditsGranted' || event.type === 'CreditsCorrected' || event.type === 'CreditsCharged';

/** What an entry changes its account's balance by. */
export const changeOf = (event: Booking): Credits => {
  const amount = creditsOf(event.data.amount);
  return event.type === 'CreditsCharged' ? negate(amount) : amount;
};

/** Whether the entries of each account add up to the balance that each of them tells. */
export const createLedgerCheck = (): ((event: LoggedEvent) => Fault | null) => {
  const balances = new Map<string, Credits>();
  return (logged) => {
    if (streamCategory(logged.stream) !== 'creditAccount') return null;
    const decoded = decodeEvent(logged.type, logged.data);
    if (E.isLeft(decoded) || !isBooking(decoded.right)) return null;
    const told = creditsOf(decoded.right.data.balance_after);
    const sum = add(balances.get(logged.stream) ?? zeroCredits, changeOf(decoded.right));
    balances.set(logged.stream, told);
    return sum === told
      ? null
      : faultAt(
          logged,
          'ledger_mismatch',
          `it tells a balance of ${creditsText(told)}; its account's entries come to ${creditsText(sum)}`,
        );
  };
};
