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

/** What others were faster with: they wrote something, erased it, or go on with it. */
const harmless = [
  'RevisionChanged',
  'MediumErased',
  'UnknownVideo',
  'UnknownAudio',
  'SessionNotFound',
  'SessionRunning',
];

/** Whether this erased it; what somebody was faster with stays, or is gone already. Throws `Interrupted`. */
export const erased = async (erasing: TaskEither<{ readonly _tag: string }, unknown>): Promise<boolean> => {
  const answer = await erasing();
  if (E.isRight(answer)) return true;
  if (harmless.includes(answer.left._tag)) return false;
  throw new Interrupted(answer.left._tag);
};
