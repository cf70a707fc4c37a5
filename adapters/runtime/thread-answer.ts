import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { fieldPath } from '../../domain/kernel/field-path.js';
import { instanceCodec } from './instance-codec.js';

/** The answer of a thread to a task. */
export type ThreadAnswer<Result> =
  | { readonly ok: true; readonly result: Result }
  | { readonly ok: false; readonly error: Error };

const Answer: t.Type<ThreadAnswer<unknown>, unknown> = t.union([
  t.type({ ok: t.literal(true), result: t.unknown }),
  t.type({ ok: t.literal(false), error: instanceCodec('Error', Error) }),
]);

/** The result of a task. Left: what the thread threw, or how its answer is invalid. */
export const resultOf = <Result>(codec: t.Type<Result, unknown>, message: unknown): E.Either<Error, Result> => {
  if (!Answer.is(message)) return E.left(new Error('the thread gave no answer'));
  if (!message.ok) return E.left(message.error);
  // Checking a valid value takes a fraction of the time of finding out what is wrong with an invalid one.
  if (codec.is(message.result)) return E.right(message.result);
  const decoded = codec.decode(message.result);
  const [fault] = E.isLeft(decoded) ? decoded.left : [];
  return E.left(new Error(`the answer of the thread is invalid at ${fieldPath(fault?.context ?? []) || 'all'}`));
};
