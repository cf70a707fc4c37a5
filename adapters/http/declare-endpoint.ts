import * as t from 'io-ts';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { type BodyReader, plainReader, readerOf } from './body-readers.js';
import {
  type Answer,
  type Call,
  type Declared,
  type Checks,
  type Endpoint,
  type Finder,
  type OnceRules,
  type Place,
  type Refusable,
  type RefusalTag,
  type IncomingRequest,
  type Once,
  placeOf,
  commonRefusals,
} from './endpoint.js';
import type { RequestContext } from '../../application/commands/context.js';
import type { Interrupted } from '../../application/idempotency/keyed-writes.js';
import type { Parameter } from './parameters.js';
import type { Refusal } from './refusals/refusals.js';
import { checkRevision } from '../../application/commands/handle-command.js';

const defaultBodyLimit = 2 * 1024 * 1024;
/** Analysis write-backs contain hours of face tracks, and transcripts hours of speech. */
export const analysisBodyLimit = 64 * 1024 * 1024;

interface EndpointTraits {
  readonly hasBody: boolean;
  readonly hasSecret: boolean;
  readonly ignoresKey: boolean;
}

/** Whether a path names something that can be erased. The history of an erased medium can still be read. */
const isErasable = (path: string): boolean => /:(?:video|audio|session)_id\b/.test(path) && !path.endsWith('/history');

const refusalsOf = (
  { method, path }: Place,
  query: ReadonlyArray<Parameter>,
  { hasBody, hasSecret, ignoresKey }: EndpointTraits,
): ReadonlyArray<RefusalTag> => [
  ...commonRefusals.always,
  ...(isErasable(path) ? commonRefusals.erasable : []),
  ...commonRefusals.header,
  ...(method === 'get' ? [] : commonRefusals.write),
  ...(method !== 'get' && !ignoresKey ? commonRefusals.key : []),
  ...(hasSecret ? commonRefusals.secret : []),
  ...(hasBody ? commonRefusals.body : []),
  ...(query.length > 0 ? commonRefusals.query : []),
  ...(query.some(({ name }) => name === 'cursor') ? commonRefusals.page : []),
];

/** The description of an endpoint, from its declaration and its finder. */
export const described = (
  declared: Pick<Declared<unknown, RefusalTag>, 'operation' | 'refuses' | 'query' | 'headers'> & {
    readonly answer: t.Mixed;
  },
  finder: Pick<Finder<unknown, RefusalTag>, 'access' | 'refuses'>,
  traits: EndpointTraits,
): Place & Pick<Endpoint, 'access' | 'refuses' | 'answer' | 'headers' | 'query' | 'ignoresKey'> => {
  const place = placeOf(declared.operation);
  const { answer, refuses = [], query = [], headers = [] } = declared;
  const all = [...refusalsOf(place, query, traits), ...finder.refuses, ...refuses];
  return {
    ...place,
    access: finder.access,
    refuses: [...new Set(all)],
    answer,
    headers,
    query,
    ignoresKey: traits.ignoresKey,
  };
};

/** Encodes answers with their codec. */
export const encodedBy =
  <Body>({ encode }: t.Type<Body, unknown>): ((answer: Answer<Body>) => Answer) =>
  (answer) =>
    answer.body === null ? answer : { ...answer, body: encode(answer.body) };

const defaultRules: OnceRules = { writesNothing: false };

const isDryRun = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && Reflect.get(body, 'dry_run') === true;

/** If a session has already ended, an earlier request with the same key may have ended it: its answer is repeated. */
const repeatedEnd = (once: Checks['once'], refusal: Refusal): TE.TaskEither<Refusal, Answer> =>
  refusal._tag === 'SessionNotFound'
    ? pipe(
        once(null),
        TE.chain(({ stored }) => (stored === null ? TE.left(refusal) : TE.right(stored))),
      )
    : TE.left(refusal);

/** An endpoint without a request body. */
export const withoutBody = <Found, FoundTag extends RefusalTag, Body, Tag extends RefusalTag = never>(
  declared: Declared<Body, Tag>,
  finder: Finder<Found, FoundTag>,
  serve: (call: Call, found: Found) => TE.TaskEither<Refusable<NoInfer<Tag | FoundTag>>, Answer<NoInfer<Body>>>,
  { hasSecret = false }: { readonly hasSecret?: boolean } = {},
): Endpoint => {
  const encoded = encodedBy(declared.answer);
  return {
    ...described(declared, finder, { hasBody: false, hasSecret, ignoresKey: false }),
    bodyLimit: null,
    body: null,
    bodyOptional: false,
    serve: (visit, checks) =>
      pipe(
        finder.find(visit),
        TE.matchE(
          (refusal) => repeatedEnd(checks.once, refusal),
          (found) =>
            pipe(
              checks.once(null),
              TE.chain((keyed) =>
                keyed.stored !== null
                  ? TE.right(keyed.stored)
                  : pipe(
                      admitted(checks, keyed, finder, found),
                      TE.chain((request) =>
                        keyed.serve(request, defaultRules, (own) =>
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

interface BodyRules<Sent> {
  /** Refuses a body that names something erased; checked before the idempotency key. */
  readonly unlessErased?: (call: IncomingRequest, body: Sent) => TE.TaskEither<Refusal, void>;
  /** An empty body is treated as `{}`. */
  readonly optional?: boolean;
  /** For an answer that contains a secret: whether the thing with this id was created. */
  readonly made?: (visit: IncomingRequest, id: string) => TE.TaskEither<Refusal, boolean>;
  /** What an interrupted write has come to, by the id of what it creates. */
  readonly interrupted?: (request: RequestContext) => OnceRules['interrupted'];
  /** Seconds after which another instance may take the write over. */
  readonly abandoned_after_seconds?: number;
  readonly ignoresKey?: boolean;
  readonly bodyLimit?: number;
}

type Serve<Found, FoundTag extends RefusalTag, Sent, Body, Tag extends RefusalTag> = readonly [
  finder: Finder<Found, FoundTag>,
  serve: (
    call: Call,
    found: Found,
    body: Sent,
  ) => TE.TaskEither<Refusable<NoInfer<Tag | FoundTag>>, Answer<NoInfer<Body>>>,
  rules?: BodyRules<NoInfer<Sent>>,
];

/** Checks that the worker thread can find the reader by its name. */
const registered = <Body>(reader: BodyReader<Body>): BodyReader<Body> => {
  const { name } = reader.codec;
  if (readerOf(name).codec !== reader.codec) throw new Error(`two bodies are named ${name}`);
  return reader;
};

/** An endpoint with a JSON body that only has to be decoded. */
export const withBody = <Found, FoundTag extends RefusalTag, Sent, Body, Tag extends RefusalTag = never>(
  declared: Declared<Body, Tag>,
  codec: t.Type<Sent, unknown>,
  ...rest: Serve<Found, FoundTag, Sent, Body, Tag>
): Endpoint => withReader(declared, plainReader(codec), ...rest);

const secretMade =
  (made: (id: string) => TE.TaskEither<Refusal, boolean>) =>
  (id: string): TE.TaskEither<Refusal, Interrupted> =>
    pipe(
      made(id),
      TE.map((isMade) => (isMade ? 'secret_made' : 'anew')),
    );

/** An endpoint with a JSON body. */
export const withReader = <Found, FoundTag extends RefusalTag, Sent, Body, Tag extends RefusalTag = never>(
  declared: Declared<Body, Tag>,
  reader: BodyReader<Sent>,
  ...[
    finder,
    serve,
    {
      optional = false,
      unlessErased,
      made,
      interrupted,
      abandoned_after_seconds,
      ignoresKey = false,
      bodyLimit = defaultBodyLimit,
    } = {},
  ]: Serve<Found, FoundTag, Sent, Body, Tag>
): Endpoint => {
  const encoded = encodedBy(declared.answer);
  return {
    ...described(declared, finder, { hasBody: true, hasSecret: made !== undefined, ignoresKey }),
    bodyLimit,
    body: registered(reader).codec,
    bodyOptional: optional,
    serve: (visit, checks) =>
      pipe(
        finder.find(visit),
        TE.mapLeft((refusal): Refusal => refusal),
        TE.bindTo('found'),
        TE.bindW('received', () => checks.body),
        TE.bindW('keyed', ({ received }) => checks.once(received)),
        TE.chainW(({ found, received, keyed }): TE.TaskEither<Refusal, Answer> =>
          keyed.stored !== null
            ? TE.right(keyed.stored)
            : pipe(
                TE.Do,
                TE.bind('body', (): TE.TaskEither<Refusal, Sent> =>
                  optional && received.length === 0 ? TE.fromEither(reader.read({})) : checks.read(reader, received),
                ),
                TE.chainFirst(({ body }) => unlessErased?.(visit, body) ?? TE.right(undefined)),
                TE.bind('request', () => admitted(checks, keyed, finder, found)),
                TE.chain(({ body, request }) => {
                  const rules = {
                    writesNothing: isDryRun(body),
                    abandoned_after_seconds,
                    interrupted: made === undefined ? interrupted?.(request) : secretMade((id) => made(visit, id)),
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

/**
 * Checks the preconditions, before anything else that depends on the state of the record, and before the idempotency key
 * is claimed. The command checks the revision once more when it is decided.
 */
export const admitted = <Found>(
  { admit }: Pick<Checks, 'admit'>,
  { isBegun }: Pick<Once, 'isBegun'>,
  { revisionOf }: Pick<Finder<Found, RefusalTag>, 'revisionOf'>,
  found: Found,
): TE.TaskEither<Refusal, RequestContext> =>
  pipe(
    admit,
    TE.chainFirst(({ if_match }): TE.TaskEither<Refusal, void> =>
      if_match === null || revisionOf === undefined
        ? TE.right(undefined)
        : pipe(
            revisionOf(found),
            TE.chainEitherKW((revision) => checkRevision(if_match, revision)),
            TE.orElse((refusal): TE.TaskEither<Refusal, void> =>
              pipe(
                isBegun,
                TE.chain((begun) => (begun ? TE.right(undefined) : TE.left<Refusal>(refusal))),
              ),
            ),
          ),
    ),
  );
