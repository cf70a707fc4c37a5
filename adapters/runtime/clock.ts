import type { Clock } from '../../application/ports/clock.js';
import { Timestamp } from '../../domain/kernel/timestamp.js';

const written = (ms: number): Timestamp => {
  const text = new Date(ms).toISOString();
  if (Timestamp.is(text)) return text;
  throw new RangeError('the clock is beyond the year 9999');
};

let last = { ms: 0, text: written(0) };

/** The system clock. Its text is cached for a millisecond, because it is read several times within one. */
export const systemClock: Clock = {
  now: () => {
    const ms = Date.now();
    if (ms !== last.ms) last = { ms, text: written(ms) };
    return last.text;
  },
};
