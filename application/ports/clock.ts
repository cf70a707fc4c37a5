import type { Timestamp } from '../../domain/kernel/timestamp.js';

export interface Clock {
  readonly now: () => Timestamp;
}

/** Time for what is measured and waited for: unlike the machine's clock, it passes evenly and is never set. */
export interface Timers {
  readonly now: () => Timestamp;
  /** Calls back once after so many seconds, unless what it answers is called before. */
  readonly after: (seconds: number, run: () => void) => () => void;
}
