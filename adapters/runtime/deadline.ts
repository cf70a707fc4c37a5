import * as E from 'fp-ts/lib/Either.js';

/** What was not there in time. */
export class TooLate extends Error {}

/** What the work gives; rejects with `TooLate` when that takes longer. What comes later is nothing. */
export const inTime = <A>(work: Promise<A>, within_ms: number): Promise<A> =>
  new Promise((resolve, reject) => {
    const late = setTimeout(
      () => reject(new TooLate(`no answer within ${Math.round(within_ms)} ms`)),
      Math.max(0, within_ms),
    );
    work.then(resolve, reject).finally(() => clearTimeout(late));
  });

/** The same of what may throw, reject or never end: its failure is a value. */
export const tryInTime = <A>(work: () => Promise<A>, within_ms: number): Promise<E.Either<unknown, A>> =>
  inTime(Promise.resolve().then(work), within_ms).then(
    (value) => E.right(value),
    (error: unknown) => E.left(error),
  );

/** Waits for work for so long at most: null where it takes longer, and it goes on by itself. Rejects when it fails before. */
export const waitAtMost = <A>(work: Promise<A>, within_ms: number): Promise<A | null> =>
  inTime(work, within_ms).catch((error: unknown) => {
    if (error instanceof TooLate) return null;
    throw error;
  });
