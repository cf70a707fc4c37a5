import * as t from 'io-ts';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { readerOf } from './bodies/all-readers.js';
import { type BodyReader, plainReader } from './bodies/body-reader.js';
import { type Declared, type Place, type Refusable, type RefusalTag, placeOf, usualRefusals } from './declared.js';
import type { Answer, Call, Enclosed, Endpoint, Finder, OnceRules, Visit } from './endpoint.js';
import { encoderOf } from './encoding.js';
import type { Parameter } from './parameters.js';
import type { Refusal } from './refusals.js';

const usualBody = 10 * 1024 * 1024;
/** Analysis write-backs carry hours of face tracks. */
export const analysisBody = 100 * 1024 * 1024;

/** What of an endpoint is not usual. */
interface Nature {
  readonly hasBody: boolean;
  readonly hasSecret: boolean;
  readonly ownKey: boolean;
}

const refusalsOf = (
  isWrite: boolean,
  query: ReadonlyArray<Parameter>,
  { hasBody, hasSecret, ownKey }: Nature,
): ReadonlyArray<RefusalTag> => [
  ...usualRefusals.always,
  ...usualRefusals.header,
  ...(isWrite ? usualRefusals.write : []),
  ...(isWrite && !ownKey ? usualRefusals.key : []),
  ...(hasSecret ? usualRefusals.secret : []),
  ...(hasBody ? usualRefusals.body : []),
  ...(query.length > 0 ? usualRefusals.query : []),
  ...(query.some(({ name }) => name === 'cursor') ? usualRefusals.page : []),
];

/** What an endpoint tells of itself, out of what it declares and what its finder does. */
export const described = (
  declared: Pick<Declared<unknown, RefusalTag>, 'operation' | 'refuses' | 'query' | 'headers'> & {
    readonly answer: t.Mixed;
  },
  finder: Pick<Finder<unknown, RefusalTag>, 'access' | 'refuses'>,
  nature: Nature,
): Place & Pick<Endpoint, 'access' | 'refuses' | 'answer' | 'headers' | 'query' | 'ownKey'> => {
  const place = placeOf(declared.operation);
  const { answer, refuses = [], query = [], headers = [] } = declared;
  const all = [...refusalsOf(place.method !== 'get', query, nature), ...finder.refuses, ...refuses];
  return { ...place, access: finder.access, refuses: [...new Set(all)], answer, headers, query, ownKey: nature.ownKey };
};

/** Encodes answers by their codec; one that encodes nothing costs nothing. */
export const encodedBy = <Body>(codec: t.Type<Body, unknown>): ((answer: Answer<Body>) => Answer) => {
  const encode = encoderOf(codec);
  return encode === t.identity
    ? (answer) => answer
    : (answer) => (answer.body === null ? answer : { ...answer, body: encode(answer.body) });
};

const usualRules: OnceRules = { writesNothing: false, made: null };

const isDryRun = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && Reflect.get(body, 'dry_run') === true;

/** A session that is not there any more: it may be this request that has ended it, and its repetition gets the answer. */
const repeatedEnd = (once: Enclosed['once'], refusal: Refusal): TE.TaskEither<Refusal, Answer> =>
  refusal._tag === 'SessionNotFound'
    ? pipe(
        once(null),
        TE.chain(({ stored }) => (stored === null ? TE.left(refusal) : TE.right(stored))),
      )
    : TE.left(refusal);

/** An endpoint that takes no body. */
export const withoutBody = <Found, FoundTag extends RefusalTag, Body, Tag extends RefusalTag = never>(
  declared: Declared<Body, Tag>,
  finder: Finder<Found, FoundTag>,
  serve: (call: Call, found: Found) => TE.TaskEither<Refusable<NoInfer<Tag | FoundTag>>, Answer<NoInfer<Body>>>,
  { hasSecret = false }: { readonly hasSecret?: boolean } = {},
): Endpoint => {
  const encoded = encodedBy(declared.answer);
  return {
    ...described(declared, finder, { hasBody: false, hasSecret, ownKey: false }),
    bodyLimit: null,
    body: null,
    bodyOptional: false,
    serve: (visit, { admit, once }) =>
      pipe(
        finder.find(visit),
        TE.matchE(
          (refusal) => repeatedEnd(once, refusal),
          (found) =>
            pipe(
              once(null),
              TE.chain(({ stored, serve: serveOnce }) =>
                stored !== null
                  ? TE.right(stored)
                  : pipe(
                      admit,
                      TE.chain((request) =>
                        serveOnce(request, usualRules, (own) =>
                          pipe(serve({ ...visit, request: own }, found), TE.map(encoded)),
                        ),
                      ),
                    ),
              ),
            ),
        ),
      ),
  };
};

interface BodyRules {
  /** An empty body counts as `{}`. */
  readonly optional?: boolean;
  /** For an answer that holds a secret: whether what has this id was made. */
  readonly made?: (visit: Visit, id: string) => TE.TaskEither<Refusal, boolean>;
  readonly ownKey?: boolean;
}

type Serve<Found, FoundTag extends RefusalTag, Sent, Body, Tag extends RefusalTag> = readonly [
  finder: Finder<Found, FoundTag>,
  serve: (
    call: Call,
    found: Found,
    body: Sent,
  ) => TE.TaskEither<Refusable<NoInfer<Tag | FoundTag>>, Answer<NoInfer<Body>>>,
  rules?: BodyRules,
];

/** Another thread finds the reader by its name. */
const listed = <Body>(reader: BodyReader<Body>): BodyReader<Body> => {
  const { name } = reader.codec;
  if (readerOf({ name }).codec !== reader.codec) throw new Error(`there are two bodies of the name ${name}`);
  return reader;
};

/** An endpoint that takes a JSON body which is decoded, and that is all. */
export const withBody = <Found, FoundTag extends RefusalTag, Sent, Body, Tag extends RefusalTag = never>(
  declared: Declared<Body, Tag>,
  codec: t.Type<Sent, unknown>,
  ...rest: Serve<Found, FoundTag, Sent, Body, Tag>
): Endpoint => withReader(declared, plainReader(codec), ...rest);

/** An endpoint that takes a JSON body. */
export const withReader = <Found, FoundTag extends RefusalTag, Sent, Body, Tag extends RefusalTag = never>(
  declared: Declared<Body, Tag>,
  reader: BodyReader<Sent>,
  ...[finder, serve, { optional = false, made, ownKey = false } = {}]: Serve<Found, FoundTag, Sent, Body, Tag>
): Endpoint => {
  const encoded = encodedBy(declared.answer);
  return {
    ...described(declared, finder, { hasBody: true, hasSecret: made !== undefined, ownKey }),
    bodyLimit: usualBody,
    body: listed(reader).codec,
    bodyOptional: optional,
    serve: (visit, enclosed) =>
      pipe(
        finder.find(visit),
        TE.mapLeft((refusal): Refusal => refusal),
        TE.bindTo('found'),
        TE.bindW('received', () => enclosed.body),
        TE.bindW('keyed', ({ received }) => enclosed.once(received)),
        TE.chainW(({ found, received, keyed }): TE.TaskEither<Refusal, Answer> =>
          keyed.stored !== null
            ? TE.right(keyed.stored)
            : pipe(
                TE.Do,
                TE.bind('body', (): TE.TaskEither<Refusal, Sent> =>
                  optional && received.length === 0 ? TE.fromEither(reader.read({})) : enclosed.read(reader, received),
                ),
                TE.bind('request', () => enclosed.admit),
                TE.chain(({ body, request }) => {
                  const rules = {
                    writesNothing: isDryRun(body),
                    made: made === undefined ? null : (id: string) => made(visit, id),
                  };
                  return keyed.serve(request, rules, (own) =>
                    pipe(serve({ ...visit, request: own }, found, body), TE.map(encoded)),
                  );
                }),
              ),
        ),
      ),
  };
};

export const ok = <const Body>(body: Body): TE.TaskEither<never, Answer<Body>> => TE.right({ body });
