import { constVoid } from 'fp-ts/lib/function.js';
import type { Timers } from '../ports/clock.js';

export interface Repetition {
  /** Stops the repetition; resolves when a running call has ended. */
  readonly close: () => Promise<void>;
}

/**
 * Runs `once` immediately, and again `interval_seconds` after each run, or after the seconds that it returns. `isClosed`
 * tells it whether to stop.
 */
export const repeat = (
  timers: Pick<Timers, 'after'>,
  interval_seconds: number,
  once: (isClosed: () => boolean) => Promise<number | void>,
): Repetition => {
  let closed = false;
  let cancel: () => void = constVoid;
  let running = Promise.resolve();
  const start = (): void => {
    running = once(() => closed).then((pause) => {
      if (!closed) cancel = timers.after(pause ?? interval_seconds, start);
    });
  };
  start();
  return {
    close: () => {
      closed = true;
      cancel();
      return running;
    },
  };
};
