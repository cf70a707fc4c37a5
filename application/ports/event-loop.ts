import type * as T from 'fp-ts/lib/Task.js';
import type { InParts } from '../../domain/kernel/in-parts.js';

/**
 * Yields to other work on this thread when the current turn of the event loop has been running for long: the promise
 * resolves in a later turn. Returns null when there is no need to yield; the caller must then go on without an `await`,
 * which would let others that ask at the same time go on too. To be called before each step that may take long.
 */
export type YieldIfBusy = () => Promise<void> | null;

/** For tests and commands that have the thread to themselves. */
export const neverYield: YieldIfBusy = () => null;

/** `yieldIfBusy` as a task. */
export const yieldTask =
  (yieldIfBusy: YieldIfBusy): T.Task<void> =>
  async () => {
    const turn = yieldIfBusy();
    if (turn !== null) await turn;
  };

/** Runs a computation in parts; yields to other work between them. */
export const runInParts = async <Result>(yieldIfBusy: YieldIfBusy, parts: InParts<Result>): Promise<Result> => {
  for (;;) {
    const part = parts.next();
    if (part.done === true) return part.value;
    const turn = yieldIfBusy();
    // oxlint-disable-next-line no-await-in-loop -- the pause is what it is for
    if (turn !== null) await turn;
  }
};
