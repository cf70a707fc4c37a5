import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { fieldPath } from '../../domain/kernel/field-path.js';
import { instanceCodec } from './instance-codec.js';

/** What a thread answers to a task. */
export type ThreadAnswer<Result> =
  | { readonly ok: true; readonly result: Result }
  | { readonly ok: false; readonly error: Error };

const Answer: t.Type<ThreadAnswer<unknown>, unknown> = t.union([
  t.type({ ok: t.literal(true), result: t.unknown }),
  t.type({ ok: t.literal(false), error: instanceCodec('Error', Error) }),
]);

/** What a thread made of its task. On the left what it threw, or where its answer is not what it should be. */
export const resultOf = <Result>(codec: t.Type<Result, unknown>, message: unknown): E.Either<Error, Result> => {
  if (!Answer.is(message)) return E.left(new Error('the thread gave no answer'));
  if (!message.ok) return E.left(message.error);
  // To recognise what is right takes a fraction of what it takes to tell what is wrong.
  if (codec.is(message.result)) return E.right(message.result);
  const decoded = codec.decode(message.result);
  const [fault] = E.isLeft(decoded) ? decoded.left : [];
  return E.left(new Error(`the answer of the thread is not right at ${fieldPath(fault?.context ?? []) || 'all'}`));
};
