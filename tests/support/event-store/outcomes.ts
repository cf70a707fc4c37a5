import { inspect } from 'node:util';
import { setTimeout } from 'node:timers/promises';
import * as E from 'fp-ts/lib/Either.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';

/** Runs a task that must succeed and returns its value. */
export const succeeded = async <A>(work: TaskEither<unknown, A>): Promise<A> => {
  const outcome = await work();
  if (E.isLeft(outcome)) throw new Error(`failed: ${inspect(outcome.left)}`);
  return outcome.right;
};

/** Runs a task that must fail and returns its failure. */
export const failed = async <F>(work: TaskEither<F, unknown>): Promise<F> => {
  const outcome = await work();
  if (E.isRight(outcome)) throw new Error(`succeeded: ${JSON.stringify(outcome.right)}`);
  return outcome.left;
};

/** Resolves once the condition holds; rejects if that takes too long. */
export const until = async (
  what: string,
  holds: () => boolean | Promise<boolean>,
  milliseconds = 30_000,
): Promise<void> => {
  const end = performance.now() + milliseconds;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`not within ${milliseconds} ms: ${what}`);
    await setTimeout(2);
  }
};
