import { type Credits, type CreditsText, add, subtract, zeroCredits, creditsOf } from '../kernel/credits.js';
import type { Timestamp } from '../kernel/timestamp.js';
import type { PeriodSeconds } from './contract.js';
import { type RecentCharges, type RecentIds, spentWithin } from './recent-charges.js';
import type { HoldId } from '../kernel/ids.js';

interface Hold {
  readonly amount: Credits;
  /** From then on it counts no more. */
  readonly lapses_at: Timestamp;
}

/** What is set aside for calls that are under way, by hold. */
type Holds = ReadonlyMap<string, Hold>;

export const noHolds: Holds = new Map();

/** The holds with one more, and without those that have lapsed: there are never more than calls under way. */
export const withHold = (holds: Holds, hold_id: HoldId, hold: Hold, at: Timestamp): Holds =>
  new Map([...holds].filter(([, { lapses_at }]) => lapses_at > at)).set(hold_id, hold);

export const withoutHold = (holds: Holds, hold_id: string): Holds =>
  holds.has(hold_id) ? new Map([...holds].filter(([id]) => id !== hold_id)) : holds;

const amountsAt = (holds: Holds, at: Timestamp, counts: (hold_id: string) => boolean): ReadonlyArray<Credits> =>
  [...holds].filter(([id, { lapses_at }]) => lapses_at > at && counts(id)).map(([, { amount }]) => amount);

const sumOf = (amounts: ReadonlyArray<Credits>): Credits => amounts.reduce(add, zeroCredits);

/** What is held at a time. */
export const heldAt = (holds: Holds, at: Timestamp): Credits => sumOf(amountsAt(holds, at, () => true));

/** What is held by others at a time, without the largest hold of theirs. */
export const heldByOthersAt = (holds: Holds, at: Timestamp, isOwn: (hold_id: string) => boolean): Credits => {
  const amounts = amountsAt(holds, at, (hold_id) => !isOwn(hold_id));
  const largest = amounts.reduce((most, amount) => (amount > most ? amount : most), zeroCredits);
  return subtract(sumOf(amounts), largest);
};

export interface SpendingWindow {
  readonly limit: CreditsText;
  readonly period_seconds: PeriodSeconds;
}

export interface CreditAccountState {
  readonly balance: Credits;
  /** The ids of the newest charges. An older one is recognised by the id of its event, which derives from its cause. */
  readonly charged: RecentIds;
  readonly recent: RecentCharges;
  readonly window: SpendingWindow | null;
  readonly holds: Holds;
  /** The time of the newest event; null before the first. */
  readonly last_at: Timestamp | null;
}

/**
 * What calls that run may go on spending: the balance, or what the spending window leaves when that is less, without
 * what other calls hold. Of these the largest does not count: one call that begins ends no other, and still the account
 * is overdrawn by the cost of one call at most.
 */
export const creditLeft = (
  { balance, window, recent, holds }: CreditAccountState,
  at: Timestamp,
  isOwn: (hold_id: string) => boolean,
): Credits => {
  const held = heldByOthersAt(holds, at, isOwn);
  if (window === null) return subtract(balance, held);
  const open = subtract(creditsOf(window.limit), spentWithin(recent, window.period_seconds, at));
  return subtract(open < balance ? open : balance, held);
};
