import type { Timers } from '../../application/ports/clock.js';
import { Timestamp } from '../../domain/kernel/timestamp.js';

/** The longest timer that Node.js supports. */
const maxTimerMs = 2 ** 31 - 1;

/** The system time at the start plus the time elapsed since, so that it runs evenly even if the system clock is set. */
export const steadyTimers = (): Timers => {
  const start = Date.now() - performance.now();
  return {
    now: () => {
      const text = new Date(start + performance.now()).toISOString();
      if (Timestamp.is(text)) return text;
      throw new RangeError('the clock is beyond the year 9999');
    },
    after: (seconds, run) => {
      const timer = setTimeout(run, Math.min(Math.max(0, seconds * 1_000), maxTimerMs));
      timer.unref();
      return () => clearTimeout(timer);
    },
  };
};
