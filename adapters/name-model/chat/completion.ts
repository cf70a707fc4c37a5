import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { isDeepStrictEqual } from 'node:util';
import { pipe } from 'fp-ts/lib/function.js';
import type { NameAnswer } from '../../../application/ports/name-model.js';
import { type ModelAnswer, Proposal } from '../../../domain/grounding/proposal.js';
import { Tokens } from '../merge-answers.js';

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
    () => 'not JSON',
  );

const incompleteReasons = new Map([
  ['content_filter', 'the answer was filtered'],
  ['length', 'the answer was truncated at the maximum length'],
]);

const contentOf = ({ message: { content, refusal }, finish_reason }: Choice): E.Either<string, string> => {
  if (typeof refusal === 'string' && refusal !== '') return E.left('refused to answer');
  const reason = incompleteReasons.get(finish_reason ?? '');
  if (reason !== undefined) return E.left(reason);
  return typeof content === 'string' ? E.right(content) : E.left('the answer has no content');
};

const decode = <Value>(codec: t.Decoder<unknown, Value>, value: unknown, message: string) =>
  pipe(
    codec.decode(value),
    E.mapLeft(() => message),
  );

const wrongShape = 'the answer does not have the requested shape';

/** Accepts exactly the requested shape: no code fence around it, no additional fields. */
const answerOf = (content: string): E.Either<string, ModelAnswer> =>
  pipe(
    parse(content),
    E.chain((parsed) =>
      pipe(
        decode(ExactAnswer, parsed, wrongShape),
        E.filterOrElse(
          (exact) => isDeepStrictEqual(exact, parsed),
          () => wrongShape,
        ),
      ),
    ),
    E.mapLeft(() => wrongShape),
  );

/**
 * The answer in a chat completion. Refusals, truncated answers and answers of another shape are failures, and so is a
 * response without `usage.total_tokens`, which is needed for billing.
 */
export const readCompletion = (body: string): E.Either<string, NameAnswer> => {
  const message = 'the response is not a chat completion';
  return pipe(
    E.Do,
    E.bind('parsed', () => parse(body)),
    E.mapLeft(() => message),
    E.bind('choice', ({ parsed }) =>
      pipe(
        decode(Completion, parsed, message),
        E.chain(({ choices }) => E.fromNullable(message)(choices[0])),
      ),
    ),
    E.bind('content', ({ choice }) => contentOf(choice)),
    E.bind('billed', ({ parsed }) => decode(Billed, parsed, 'the response has no usage.total_tokens')),
    E.bind('answer', ({ content }) => answerOf(content)),
    E.map(({ answer, billed }) => ({ proposals: answer.speakers, total_tokens: billed.usage.total_tokens })),
  );
};
