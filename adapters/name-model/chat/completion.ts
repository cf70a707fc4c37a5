import { isDeepStrictEqual } from 'node:util';
import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as t from 'io-ts';
import type { NameAnswer } from '../../../application/ports/name-model.js';
import { type ModelAnswer, Proposal } from '../../../domain/grounding/proposal.js';
import { Tokens } from '../tokens.js';

const orNull = <Codec extends t.Mixed>(codec: Codec) => t.union([codec, t.null]);

const Choice = t.intersection([
  t.type({ message: t.partial({ content: orNull(t.string), refusal: orNull(t.string) }) }),
  t.partial({ finish_reason: orNull(t.string) }),
]);
type Choice = t.TypeOf<typeof Choice>;
const Completion = t.type({ choices: t.array(Choice) });

const Billed = t.type({ usage: t.type({ total_tokens: Tokens }) });

const ExactAnswer = t.exact(t.type({ speakers: t.readonlyArray(t.exact(Proposal)) }));

const parse = (text: string): E.Either<string, unknown> =>
  E.tryCatch(
    (): unknown => JSON.parse(text),
    () => 'no JSON',
  );

const broken = new Map([
  ['content_filter', 'the answer was filtered'],
  ['length', 'the answer was cut short at its longest length'],
]);

const contentOf = ({ message: { content, refusal }, finish_reason }: Choice): E.Either<string, string> => {
  if (typeof refusal === 'string' && refusal !== '') return E.left('refused to answer');
  const reason = broken.get(finish_reason ?? '');
  if (reason !== undefined) return E.left(reason);
  return typeof content === 'string' ? E.right(content) : E.left('the answer has no content');
};

const decode = <Value>(codec: t.Decoder<unknown, Value>, value: unknown, otherwise: string) =>
  pipe(
    codec.decode(value),
    E.mapLeft(() => otherwise),
  );

const otherShape = 'the answer is not of the shape that was asked for';

/** Nothing but the answer's shape: no fence around it, no field besides. */
const answerOf = (content: string): E.Either<string, ModelAnswer> =>
  pipe(
    parse(content),
    E.chain((parsed) =>
      pipe(
        decode(ExactAnswer, parsed, otherShape),
        E.filterOrElse(
          (exact) => isDeepStrictEqual(exact, parsed),
          () => otherShape,
        ),
      ),
    ),
    E.mapLeft(() => otherShape),
  );

/**
 * The answer in a chat completion. A refusal, a broken-off answer and one of another shape are failures, and so is one
 * without `usage.total_tokens`: there would be nothing to bill by.
 */
export const readCompletion = (body: string): E.Either<string, NameAnswer> => {
  const otherwise = 'the response is not a chat completion';
  return pipe(
    E.Do,
    E.bind('parsed', () => parse(body)),
    E.mapLeft(() => otherwise),
    E.bind('choice', ({ parsed }) =>
      pipe(
        decode(Completion, parsed, otherwise),
        E.chain(({ choices }) => E.fromNullable(otherwise)(choices[0])),
      ),
    ),
    E.bind('content', ({ choice }) => contentOf(choice)),
    E.bind('billed', ({ parsed }) => decode(Billed, parsed, 'the response does not tell usage.total_tokens')),
    E.bind('answer', ({ content }) => answerOf(content)),
    E.map(({ answer, billed }) => ({ proposals: answer.speakers, total_tokens: billed.usage.total_tokens })),
  );
};
