import type { IncomingHttpHeaders } from 'node:http';
import type * as t from 'io-ts';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { Caller, RequestContext } from '../../application/request-context.js';
import { type OperationId, operations } from '../runtime/operations.js';
import { readerOf } from './bodies/all-readers.js';
import { type BodyReader, plainReader } from './bodies/body-reader.js';
import type { ReadBytes } from './bodies/read-bytes.js';
import type { ReceivedBody } from './bodies/received-body.js';
import type { UnreadableBody } from './bodies/receive.js';
import type { Query } from './query.js';
import type { Refusal } from './refusals.js';

const methods = { GET: 'get', POST: 'post', PUT: 'put', PATCH: 'patch', DELETE: 'delete' } as const;
type Method = (typeof methods)[keyof typeof methods];

const isMethod = (text: string): text is keyof typeof methods => text in methods;

/** Where an operation is served: the path as express takes it. */
export const placeOf = (operation: OperationId): Pick<Endpoint, 'operation' | 'method' | 'path'> => {
  const [method = '', path = ''] = operations[operation].split(' ');
  if (!isMethod(method)) throw new Error(`${operation} has no method`);
  return { operation, method: methods[method], path: path.replaceAll(/\{(\w+)\}/g, ':$1') };
};

/** What an endpoint is told of a request before its body and its conditions are looked at. */
export interface Visit {
  readonly headers: IncomingHttpHeaders;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Query;
  /** The cursor of a next page as the client is given it: with another list or other filters it is refused. */
  readonly seal: (cursor: string | null) => string | null;
  readonly request: Pick<RequestContext, 'caller'>;
  /** Whether the client has gone away, so that nobody needs the answer. */
  readonly isGone: () => boolean;
}

/** What it is told once these are in order. */
export interface Call extends Visit {
  readonly request: RequestContext;
}

/** What is looked at once the resource is found and the caller may do this with it: the body first. */
export interface Enclosed {
  /** Receives the body. It has not been read before, and can be once. */
  readonly body: TE.TaskEither<UnreadableBody, ReceivedBody>;
  readonly read: ReadBytes;
  /** Looks at the idempotency key, once the body has come; null for a request without one. */
  readonly once: (body: ReceivedBody | null) => TE.TaskEither<Refusal, Once>;
  /** Looks at the conditions in the headers; a read waits for the position that it asks for. */
  readonly admit: TE.TaskEither<Refusal, RequestContext>;
}

/** What an endpoint says of a request that may have an idempotency key. */
export interface OnceRules {
  /** A dry run: the key is ignored. */
  readonly writesNothing: boolean;
  /** For an answer that holds a secret: whether what has this id was made. */
  readonly made: ((id: string) => TE.TaskEither<Refusal, boolean>) | null;
}

/** How a request is served once for its idempotency key. */
export interface Once {
  /** The answer that an earlier one got; null where there is none. */
  readonly stored: Answer | null;
  readonly serve: (
    request: RequestContext,
    rules: OnceRules,
    run: (request: RequestContext) => TE.TaskEither<Refusal, Answer>,
  ) => TE.TaskEither<Refusal, Answer>;
}

export interface Answer {
  readonly body: unknown;
  /** The body holds a secret, which is shown once: this is the id of what was made. */
  readonly secret_of?: string;
  /** The body as JSON, where it is at hand; null and absent: it is made of the body. */
  readonly json?: Uint8Array | null;
  /** Instead of the body: texts that are sent one after the other, each when the client has taken the one before. */
  readonly parts?: AsyncIterable<string>;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * One endpoint as data. The order of checks is the contract's: the caller is known by now; `find` refuses what does
 * not exist and then who may not; then the body's shape is checked, then the headers' conditions; the rest is `serve`'s.
 */
export interface Endpoint {
  readonly operation: OperationId;
  readonly method: Method;
  readonly path: string;
  /** The query parameters that it knows; others are ignored, and the answer names them. */
  readonly query: ReadonlyArray<string>;
  /** It looks after the idempotency key itself, or writes nothing. */
  readonly ownKey: boolean;
  /** Largest body in bytes; null when the endpoint takes none. */
  readonly bodyLimit: number | null;
  /** What a body must look like; null when the endpoint takes none. */
  readonly body: t.Mixed | null;
  /** Recognises callers that only this endpoint knows; null: an API key is asked for. */
  readonly callerOf?: (headers: IncomingHttpHeaders, params: Visit['params']) => TE.TaskEither<Refusal, Caller> | null;
  readonly serve: (visit: Visit, enclosed: Enclosed) => TE.TaskEither<Refusal, Answer>;
}

const usualBody = 10 * 1024 * 1024;
/** Analysis write-backs carry hours of face tracks. */
export const analysisBody = 100 * 1024 * 1024;

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
export const withoutBody = <Found>(
  operation: OperationId,
  find: (visit: Visit) => TE.TaskEither<Refusal, Found>,
  serve: (call: Call, found: Found) => TE.TaskEither<Refusal, Answer>,
  query: ReadonlyArray<string> = [],
): Endpoint => ({
  ...placeOf(operation),
  query,
  ownKey: false,
  bodyLimit: null,
  body: null,
  serve: (visit, { admit, once }) =>
    pipe(
      find(visit),
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
                      serveOnce(request, usualRules, (own) => serve({ ...visit, request: own }, found)),
                    ),
                  ),
            ),
          ),
      ),
    ),
});

interface BodyRules {
  /** An empty body counts as `{}`. */
  readonly optional?: boolean;
  /** For an answer that holds a secret: whether what has this id was made. */
  readonly made?: (visit: Visit, id: string) => TE.TaskEither<Refusal, boolean>;
  readonly ownKey?: boolean;
}

type Serve<Found, Body> = readonly [
  find: (visit: Visit) => TE.TaskEither<Refusal, Found>,
  serve: (call: Call, found: Found, body: Body) => TE.TaskEither<Refusal, Answer>,
  rules?: BodyRules,
];

/** Another thread finds the reader by its name. */
const listed = <Body>(reader: BodyReader<Body>): BodyReader<Body> => {
  const { name } = reader.codec;
  if (readerOf({ name }).codec !== reader.codec) throw new Error(`there are two bodies of the name ${name}`);
  return reader;
};

/** An endpoint that takes a JSON body which is decoded, and that is all. */
export const withBody = <Found, Body>(
  operation: OperationId,
  codec: t.Type<Body, unknown>,
  ...rest: Serve<Found, Body>
): Endpoint => withReader(operation, plainReader(codec), ...rest);

/** An endpoint that takes a JSON body. */
export const withReader = <Found, Body>(
  operation: OperationId,
  reader: BodyReader<Body>,
  ...[find, serve, { optional = false, made, ownKey = false } = {}]: Serve<Found, Body>
): Endpoint => ({
  ...placeOf(operation),
  query: [],
  ownKey,
  bodyLimit: usualBody,
  body: listed(reader).codec,
  serve: (visit, enclosed) =>
    pipe(
      find(visit),
      TE.bindTo('found'),
      TE.bindW('received', () => enclosed.body),
      TE.bindW('keyed', ({ received }) => enclosed.once(received)),
      TE.chainW(({ found, received, keyed }): TE.TaskEither<Refusal, Answer> =>
        keyed.stored !== null
          ? TE.right(keyed.stored)
          : pipe(
              TE.Do,
              TE.bind('body', (): TE.TaskEither<Refusal, Body> =>
                optional && received.length === 0 ? TE.fromEither(reader.read({})) : enclosed.read(reader, received),
              ),
              TE.bind('request', () => enclosed.admit),
              TE.chain(({ body, request }) => {
                const rules = {
                  writesNothing: isDryRun(body),
                  made: made === undefined ? null : (id: string) => made(visit, id),
                };
                return keyed.serve(request, rules, (own) => serve({ ...visit, request: own }, found, body));
              }),
            ),
      ),
    ),
});

export const ok = (body: unknown): TE.TaskEither<Refusal, Answer> => TE.right({ body });
