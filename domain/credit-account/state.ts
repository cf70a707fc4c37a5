import { type Credits, type CreditsText, add, subtract, zeroCredits, creditsOf } from '../kernel/credits.js';
import type { Timestamp } from '../kernel/timestamp.js';
import type { PeriodSeconds } from './contract.js';
import { type RecentCharges, type RecentIds, spentWithin } from './recent-charges.js';
import type { HoldId } from '../kernel/ids.js';

interface Hold {
  readonly amount: Credits;
  /** When the hold expires. */
  readonly lapses_at: Timestamp;
}

/** Credits set aside for calls in progress, by hold id. */
type Holds = ReadonlyMap<string, Hold>;

export const noHolds: Holds = new Map();

/** Adds a hold and drops expired ones, so there are never more than calls in progress. */
export const withHold = (holds: Holds, hold_id: HoldId, hold: Hold, at: Timestamp): Holds =>
  new Map([...holds].filter(([, { lapses_at }]) => lapses_at > at)).set(hold_id, hold);

export const withoutHold = (holds: Holds, hold_id: string): Holds =>
  holds.has(hold_id) ? new Map([...holds].filter(([id]) => id !== hold_id)) : holds;

const amountsAt = (holds: Holds, at: Timestamp, counts: (hold_id: string) => boolean): ReadonlyArray<Credits> =>
  [...holds].filter(([id, { lapses_at }]) => lapses_at > at && counts(id)).map(([, { amount }]) => amount);

const sumOf = (amounts: ReadonlyArray<Credits>): Credits => amounts.reduce(add, zeroCredits);

/** Total held at a time. */
export const heldAt = (holds: Holds, at: Timestamp): Credits => sumOf(amountsAt(holds, at, () => true));

export interface SpendingWindow {
  readonly limit: CreditsText;
  readonly period_seconds: PeriodSeconds;
}

export interface CreditAccountState {
  readonly balance: Credits;
  /** Ids of the newest charges. An older charge is recognised by its event id, which derives from its cause. */
  readonly charged: RecentIds;
  readonly recent: RecentCharges;
  readonly window: SpendingWindow | null;
  readonly holds: Holds;
  /** Time of the newest event; null before the first. */
  readonly last_at: Timestamp | null;
}

/**
 * What running calls may still spend: the smaller of the balance and the rest of the spending window, each without the
 * holds of other calls. On the balance, the largest of these holds is ignored, so that one new call does not end running
 * ones; the account is overdrawn by at most the cost of one call. The window is a limit: nothing is ignored there.
 */
export const creditLeft = (
  { balance, window, recent, holds }: CreditAccountState,
  at: Timestamp,
  isOwn: (hold_id: string) => boolean,
): Credits => {
  const others = amountsAt(holds, at, (hold_id) => !isOwn(hold_id));
  const held = sumOf(others);
  const largest = others.reduce((most, amount) => (amount > most ? amount : most), zeroCredits);
  const ofBalance = subtract(balance, subtract(held, largest));
  if (window === null) return ofBalance;
  const spent = spentWithin(recent, window.period_seconds, at);
  const ofWindow = subtract(creditsOf(window.limit), add(spent, held));
  return ofWindow < ofBalance ? ofWindow : ofBalance;
};
