import * as E from 'fp-ts/lib/Either.js';

/** Runs what may throw, reject or never end; what is not there in time is a failure, and what comes later is nothing. */
export const inTime = <A>(work: () => Promise<A>, within_ms: number): Promise<E.Either<unknown, A>> =>
  new Promise((resolve) => {
    const late = setTimeout(
      () => resolve(E.left(new Error(`no answer within ${Math.round(within_ms)} ms`))),
      Math.max(0, within_ms),
    );
    const end = (answer: E.Either<unknown, A>): void => {
      clearTimeout(late);
      resolve(answer);
    };
    Promise.resolve()
      .then(work)
      .then(
        (value) => end(E.right(value)),
        (error: unknown) => end(E.left(error)),
      );
  });
