import { type Credits, add, priceOf, subtract, zeroCredits } from '../kernel/credits.js';

/** A session that goes on, and what of its use is not booked yet. */
interface Use {
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
