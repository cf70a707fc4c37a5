import * as E from 'fp-ts/lib/Either.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';

/** Ends a retention run; the next one starts again. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/** The result of a task; throws `Interrupted` if it fails. */
export const orInterrupt = async <Value>(asked: TaskEither<{ readonly _tag: string }, Value>): Promise<Value> => {
  const answer = await asked();
  if (E.isLeft(answer)) throw new Interrupted(answer.left._tag);
  return answer.right;
};

/** Refusals because somebody else changed, erased or uses the record meanwhile. */
const harmless = [
  'RevisionChanged',
  'MediumErased',
  'UnknownVideo',
  'UnknownAudio',
  'SessionNotFound',
  'SessionRunning',
];

/** Erases a record, and returns whether it did; a record that was changed or erased meanwhile is left. Throws `Interrupted`. */
export const eraseUnlessChanged = async (erasing: TaskEither<{ readonly _tag: string }, unknown>): Promise<boolean> => {
  const answer = await erasing();
  if (E.isRight(answer)) return true;
  if (harmless.includes(answer.left._tag)) return false;
  throw new Interrupted(answer.left._tag);
};
