import { type Credits, add, priceOf, subtract, zeroCredits } from '../kernel/credits.js';

/** A session that goes on, and what of its use is not booked yet. */
export interface Use {
  readonly price_per_minute: Credits;
  readonly unbooked_ms: number;
}

const millisecondsPerPrice = 60_000;

/** For how many seconds, to the millisecond, what is left lasts when all of these go on; infinite when they cost nothing. */
export const secondsLeft = (uses: ReadonlyArray<Use>, left: Credits): number => {
  const per_minute = uses.reduce((sum, { price_per_minute }) => add(sum, price_per_minute), zeroCredits);
  if (per_minute <= zeroCredits) return Number.POSITIVE_INFINITY;
  const used = uses.reduce(
    (sum, { price_per_minute, unbooked_ms }) => add(sum, priceOf(price_per_minute, unbooked_ms, millisecondsPerPrice)),
    zeroCredits,
  );
  const free = subtract(left, used);
  return free <= zeroCredits ? 0 : Number((BigInt(millisecondsPerPrice) * free) / per_minute) / 1_000;
};

/** With less credit than for so many seconds, listeners are warned. */
export const low_seconds = 60;

/** A timer may fire a moment early: so much later the time has passed for certain. */
export const slack_seconds = 0.005;
/** The shortest and the longest wait for the next look at a credit. */
const shortest_wait = 0.25;
const longest_wait = 3_600;

interface NextLook {
  readonly after_seconds: number;
  /** Whether all that was used is to be booked before it. */
  readonly books: boolean;
}

/** When a credit that lasts for so many seconds is to be looked at again: as it is low, or used up. Null: never. */
export const nextLook = (seconds_left: number): NextLook | null => {
  if (seconds_left === Number.POSITIVE_INFINITY) return null;
  const books = seconds_left < low_seconds;
  const wait = (books ? seconds_left : seconds_left - low_seconds) + slack_seconds;
  return { after_seconds: Math.min(Math.max(wait, shortest_wait), longest_wait), books };
};
