import * as E from 'fp-ts/lib/Either.js';
import { constVoid } from 'fp-ts/lib/function.js';

/** The work did not finish in time. */
export class TooLate extends Error {}

/** The result of the work; rejects with `TooLate` if it takes longer. A later result is ignored. */
export const inTime = <A>(work: Promise<A>, within_ms: number): Promise<A> =>
  new Promise((resolve, reject) => {
    const late = setTimeout(
      () => reject(new TooLate(`no answer within ${Math.round(within_ms)} ms`)),
      Math.max(0, within_ms),
    );
    work.then(resolve, reject).finally(() => clearTimeout(late));
  });

/**
 * The same for work that may throw, reject or never end; its failure is returned as a value. `discard` gets a result that
 * comes too late.
 */
export const tryInTime = async <A>(
  work: () => Promise<A>,
  within_ms: number,
  discard: (late: A) => void = constVoid,
): Promise<E.Either<unknown, A>> => {
  const running = Promise.resolve().then(work);
  try {
    return E.right(await inTime(running, within_ms));
  } catch (error) {
    void running.then(discard, constVoid);
    return E.left(error);
  }
};

/** Waits for the work for a limited time; null if it takes longer (it continues). Rejects if it fails before. */
export const waitAtMost = <A>(work: Promise<A>, within_ms: number): Promise<A | null> =>
  inTime(work, within_ms).catch((error: unknown) => {
    if (error instanceof TooLate) return null;
    throw error;
  });
