import type { Either } from 'fp-ts/lib/Either.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';

/** Makes concurrent calls share one running call and its result. */
export const sharedAnswer = <Refused, Result>(ask: () => TaskEither<Refused, Result>): TaskEither<Refused, Result> => {
  let running: Promise<Either<Refused, Result>> | null = null;
  return () => {
    running ??= ask()().finally(() => {
      running = null;
    });
    return running;
  };
};
