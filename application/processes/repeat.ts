import { constVoid } from 'fp-ts/lib/function.js';
import type { Timers } from '../ports/clock.js';

export interface Repetition {
  /** Resolves once nothing is done and will be. */
  readonly close: () => Promise<void>;
}

/**
 * Does something at once, and again so many seconds after each time, or after as many as it answers. It is told whether
 * it should stop.
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
