import { type Credits, add, subtract, zeroCredits } from '../kernel/credits.js';
import type { HoldId } from '../kernel/ids.js';
import type { Timestamp } from '../kernel/timestamp.js';

interface Hold {
  readonly amount: Credits;
  /** From then on it counts no more. */
  readonly lapses_at: Timestamp;
}

/** What is set aside for calls that are under way, by hold. */
export type Holds = ReadonlyMap<string, Hold>;

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
