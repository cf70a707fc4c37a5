import * as E from 'fp-ts/lib/Either.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';

/** Why a look at what has to be erased broke off; the next one begins anew. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/** What was asked for; throws `Interrupted` where it cannot be had. */
export const had = async <Value>(asked: TaskEither<{ readonly _tag: string }, Value>): Promise<Value> => {
  const answer = await asked();
  if (E.isLeft(answer)) throw new Interrupted(answer.left._tag);
  return answer.right;
};
