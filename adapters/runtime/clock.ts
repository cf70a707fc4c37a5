import type { Clock } from '../../application/ports/clock.js';
import { Timestamp } from '../../domain/kernel/timestamp.js';

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => {
    const text = new Date().toISOString();
    if (Timestamp.is(text)) return text;
    throw new RangeError('the clock is beyond the year 9999');
  },
};
