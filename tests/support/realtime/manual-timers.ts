import { setImmediate } from 'node:timers/promises';
import type { Timers } from '../../../application/ports/clock.js';
import { at } from '../values.js';

/** Time that only passes when the test says so. */
export interface ManualTimers extends Timers {
  /** Lets this many seconds pass. Due timers are called in order; each finishes before the next. */
  readonly pass: (seconds: number) => Promise<void>;
  readonly seconds: () => number;
  /** The number of pending timers. */
  readonly waiting: () => number;
  /** Discards all pending timers, as the end of the process would. */
  readonly die: () => void;
}

/** Waits until all running work has finished: stores in memory answer within a few turns of the event loop. */
export const atRest = async (turns = 25): Promise<void> => {
  for (let turn = 0; turn < turns; turn += 1) await setImmediate();
};

export const manualTimers = (start = 0): ManualTimers => {
  let now = start;
  const due = new Map<symbol, { readonly at: number; readonly run: () => void }>();
  const next = (until: number) =>
    [...due].filter(([, wait]) => wait.at <= until).sort(([, one], [, other]) => one.at - other.at)[0];
  return {
    seconds: () => now,
    waiting: () => due.size,
    die: () => due.clear(),
    now: () => at(now),
    after: (seconds, run) => {
      const key = Symbol('wait');
      due.set(key, { at: now + Math.max(0, seconds), run });
      return () => void due.delete(key);
    },
    pass: async (seconds) => {
      const until = now + seconds;
      await atRest();
      for (let first = next(until); first !== undefined; first = next(until)) {
        const [key, wait] = first;
        due.delete(key);
        now = Math.max(now, wait.at);
        wait.run();
        await atRest();
      }
      now = until;
    },
  };
};
