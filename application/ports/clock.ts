import type { Timestamp } from '../../domain/kernel/timestamp.js';

export interface Clock {
  readonly now: () => Timestamp;
}

/** A monotonic clock for measuring and waiting: unlike the system clock, it is never adjusted. */
export interface Timers {
  readonly now: () => Timestamp;
  /** Calls `run` once after `seconds`, unless the returned function is called before. */
  readonly after: (seconds: number, run: () => void) => () => void;
}
