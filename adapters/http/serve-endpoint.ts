import type { IncomingHttpHeaders } from 'node:http';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { constVoid, pipe } from 'fp-ts/lib/function.js';
import * as E from 'fp-ts/lib/Either.js';
import type { Request, RequestHandler, Response } from 'express';
import type { Caller, RequestContext } from '../../application/commands/context.js';
import type { Log } from '../../application/ports/log.js';
import { type Position, type Subject, audioSubject, videoSubject } from '../../domain/kernel/recorded-event.js';
import {
  type Authenticate,
  minPosition,
  requestIdOf,
  requiredRevision,
  idempotencyKeyOf,
  queryOf,
} from './request-head.js';
import type { Answer, Call, Endpoint, Service, Once } from './endpoint.js';
import { type ReadBody, type Body, bodyReceiver } from './body.js';
import { type Refusal, httpErrorOf } from './refusals/refusals.js';
import type { TooManyRequests } from './refusals/refusal.js';
import { sendError, sendJson, sendParts } from './answer.js';
import { createHash } from 'node:crypto';
import type { KeyedWrites, Served } from '../../application/idempotency/keyed-writes.js';
import type { Freshness } from '../../application/queries/request-checks.js';
import type { StoredAnswer } from '../../application/idempotency/write-key.js';

const unkeyed: Once = { stored: null, isBegun: TE.right(false), serve: (request, _rules, run) => run(request) };

/** Two requests are the same if method, path, query and body are. */
const digestOf = ({ method, originalUrl }: Request, body: Body | null): string =>
  createHash('sha256')
    .update(`${method} ${originalUrl}\n`)
    .update(body ?? '')
    .digest('hex');

/** The video or audio of the path; null if there is none. */
const mediumOf = ({ params: { video_id, audio_id } }: Request): Subject | null => {
  if (typeof video_id === 'string') return videoSubject(video_id);
  return typeof audio_id === 'string' ? audioSubject(audio_id) : null;
};

/** The stored answer of an earlier request; a secret cannot be repeated. */
const replayed = ({ body, headers, secret_of }: StoredAnswer): E.Either<Refusal, Answer> =>
  secret_of === null
    ? E.right({ body: null, json: Buffer.from(body), headers: { ...headers, 'Idempotency-Replayed': 'true' } })
    : E.left({ _tag: 'SecretNotRepeatable', id: secret_of });

const textOf = ({ body, json = null }: Answer): string =>
  json === null ? JSON.stringify(body) : Buffer.from(json).toString();

/** Longer answers are not stored, or every small write to a large record would fill the log; in characters. */
const maxStored = 300_000;

const toStored = (answer: Answer, last: Position | null): StoredAnswer | null => {
  const body = answer.secret_of === undefined ? textOf(answer) : 'null';
  const headers = { ...answer.headers, ...(last === null ? {} : { 'X-Event-Position': last }) };
  return body.length > maxStored ? null : { body, headers, secret_of: answer.secret_of ?? null };
};

const answerOf = (served: Served<Answer>): E.Either<Refusal, Answer> =>
  served.kind === 'new' ? E.right(served.answer) : replayed(served.answer);

/**
 * How one request is served once per `Idempotency-Key`, once its body has been received. An invalid header is refused only
 * when the request is served, after its body was decoded. `lastWritten`: the position that the response names; the stored
 * answer names the same.
 */
const oncePerRequestKey =
  (
    { keyed, service: { app } }: Serving,
    { method, ignoresKey }: Pick<Endpoint, 'method' | 'ignoresKey'>,
    request: Request,
    context: RequestContext,
    lastWritten: () => Position | null,
  ): ((body: Body | null) => TE.TaskEither<Refusal, Once>) =>
  (body) => {
    if (method === 'get' || ignoresKey) return TE.right(unkeyed);
    const key = idempotencyKeyOf(request.headers);
    if (E.isLeft(key)) return TE.right({ ...unkeyed, serve: () => TE.left(key.left) });
    const medium = mediumOf(request);
    const text = key.right;
    if (text === null) return TE.right(unkeyed);
    return pipe(
      // Only the encryption key of the medium can reproduce it.
      app.keys.digest(medium, digestOf(request, body)),
      TE.map((digest) => (own: RequestContext) => keyed(own, text, digest, medium)),
      TE.bindTo('of'),
      TE.bind('found', ({ of }) => of(context).find),
      TE.bindW('stored', ({ found }) =>
        TE.fromEither<Refusal, Answer | null>(found === null ? E.right(null) : replayed(found)),
      ),
      TE.map(({ of, stored }): Once => ({
        stored,
        isBegun: of(context).isBegun,
        serve: (own, { writesNothing, ...rules }, run) => {
          if (writesNothing) return run(own);
          return pipe(
            of(own).once({ run, stored: (answer: Answer) => toStored(answer, lastWritten()), ...rules }),
            TE.chainEitherKW(answerOf),
          );
        },
      })),
    );
  };

/** What serving an endpoint depends on. */
export interface Serving {
  readonly service: Service;
  readonly authenticate: Authenticate;
  readonly freshness: Freshness;
  readonly atWork: RequestsAtWork;
  readonly read: ReadBody;
  /** Serves a write once per idempotency key. */
  readonly keyed: KeyedWrites<Refusal>;
}

const textParams = ({ params }: Request): Call['params'] =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]));

/** The revision that a write requires (`If-Match`). A read requires none, but waits for its `X-Min-Position`. */
const preconditions = (
  { service: { app }, freshness: { upTo } }: Serving,
  { method }: Endpoint,
  headers: IncomingHttpHeaders,
): TE.TaskEither<Refusal, number | null> =>
  method === 'get'
    ? pipe(
        TE.fromEither<Refusal, Position | null>(minPosition(headers, app.store.positionIn)),
        TE.chainW(upTo),
        TE.map(() => null),
      )
    : TE.fromEither(requiredRevision(headers));

const waits = ({ query }: Endpoint): boolean => query.some(({ name }) => name === 'wait');

const sendRefusal = (response: Response, refusal: Refusal, ids: Call['params'], log: Log, request_id: string): void => {
  // The client may have disconnected, for example while sending the body.
  if (response.destroyed) return;
  const error = httpErrorOf(refusal, ids);
  if (error.status >= 500 && refusal._tag !== 'AtCapacity' && refusal._tag !== 'ServerBusy')
    log.error('request failed', { request_id, failure: refusal._tag });
  sendError(response, error);
};

const sendAnswer = (response: Response, answer: Answer, onBreak: (reason: string) => void): void => {
  const { body, json = null, parts, headers = {} } = answer;
  response.set(headers);
  if (parts === undefined) sendJson(response, 200, body, json);
  else void sendParts(response, parts, onBreak);
};

/**
 * The positions that a request writes: those of its change, and those of events on its idempotency key. `wrote` is called
 * with every position, since later reads must show what was named.
 */
const writtenPositions = (wrote: (position: Position) => void) => {
  const newest: { change: Position | null; key: Position | null } = { change: null, key: null };
  const note = (what: keyof typeof newest) => (position: Position) => {
    const before = newest[what];
    newest[what] = before !== null && before >= position ? before : position;
    wrote(position);
  };
  return {
    noted: { onWrite: note('change'), onKeyWrite: note('key'), requireVisible: wrote },
    /** The value of `X-Event-Position`: of the change, because an undo needs it; else of an event on the key. */
    last: (): Position | null => newest.change ?? newest.key,
  };
};

/**
 * Serves one endpoint: identifies the caller, lets the endpoint find the resource, read the body and check the preconditions
 * in this order, and sends its answer.
 */
export const serveEndpoint =
  (serving: Serving, endpoint: Endpoint): RequestHandler =>
  async (request, response) => {
    const { service, authenticate, read, freshness } = serving;
    const { clock, log } = service.app;
    const { headers } = request;
    const request_id = requestIdOf(response);
    const params = textParams(request);
    const receiver = bodyReceiver(request, response, endpoint.bodyLimit ?? 0);
    const { noted, last } = writtenPositions(freshness.wrote);
    let leave = constVoid;
    const contextOf = (caller: Caller, if_match: number | null): RequestContext => ({
      caller,
      request_id,
      at: clock.now(),
      if_match,
      ...noted,
    });
    const served: TE.TaskEither<Refusal, Answer> = pipe(
      freshness.started(),
      TE.chainW(
        (): TE.TaskEither<Refusal, Caller> =>
          endpoint.callerOf?.({ service, headers, params }) ?? authenticate(headers),
      ),
      TE.chain((caller): TE.TaskEither<Refusal, Answer> => {
        const { query, clientCursor, ignored } = queryOf(request, endpoint, caller.account_id);
        if (ignored !== null) response.set('X-Ignored-Parameters', ignored);
        const entered = serving.atWork(caller.account_id, query['wait'] !== undefined && waits(endpoint));
        if (typeof entered !== 'function') return TE.left(entered);
        leave = entered;
        return endpoint.serve(
          { service, headers, params, query, clientCursor, request: { caller }, isGone: () => response.destroyed },
          {
            body: receiver.receive(caller.account_id),
            read,
            once: oncePerRequestKey(serving, endpoint, request, contextOf(caller, null), last),
            admit: pipe(
              preconditions(serving, endpoint, headers),
              TE.map((if_match) => contextOf(caller, if_match)),
            ),
          },
        );
      }),
    );
    const answer = await served().finally(receiver.release);
    const position = last();
    if (position !== null) response.set('X-Event-Position', position);
    if (E.isLeft(answer)) sendRefusal(response, answer.left, params, log, request_id);
    else sendAnswer(response, answer.right, (reason) => log.warn('an answer was interrupted', { request_id, reason }));
    if (response.destroyed) leave();
    else response.once('close', leave);
  };

/**
 * Counts the requests in progress of each account, those that wait apart. Admits a request, and returns a function to be
 * called once when it has ended.
 */
type RequestsAtWork = (account_id: string, waits: boolean) => (() => void) | TooManyRequests;

/** Requests with `wait=` of one account. */
const mostWaiting = 1_000;

export const requestsAtWork = (most: number): RequestsAtWork => {
  const counts = new Map<string, number>();
  return (account_id, waits) => {
    const key = `${waits ? 'waiting' : 'working'} ${account_id}`;
    const limit = waits ? mostWaiting : most;
    const count = counts.get(key) ?? 0;
    if (count >= limit) return { _tag: 'TooManyRequests', most: limit };
    counts.set(key, count + 1);
    return () => {
      const left = (counts.get(key) ?? 1) - 1;
      if (left === 0) counts.delete(key);
      else counts.set(key, left);
    };
  };
};
