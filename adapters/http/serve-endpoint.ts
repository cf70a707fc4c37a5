import type { IncomingHttpHeaders } from 'node:http';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as E from 'fp-ts/lib/Either.js';
import type { Request, RequestHandler, Response } from 'express';
import type { Caller } from '../../application/commands/context.js';
import type { StoreUnavailable } from '../../application/ports/event-store.js';
import type { Log } from '../../application/ports/log.js';
import type { Position } from '../../domain/kernel/recorded-event.js';
import type { Timestamp } from '../../domain/kernel/timestamp.js';
import type { ReadModelBehind } from '../../projections/queries.js';
import type { Authenticate } from './authenticate.js';
import type { Answer, Call, Endpoint, Enclosed } from './endpoint.js';
import type { ByteBudget } from './bodies/byte-budget.js';
import type { ReadBytes } from './bodies/read-bytes.js';
import { receiveBody } from './bodies/receive.js';
import { type KeyedServing, onceForKey } from './keyed-requests.js';
import { conditionOf, minimalPosition } from './headers.js';
import { type Refusal, httpErrorOf } from './refusals.js';
import { queryOf } from './request-query.js';
import { requestIdOf } from './request-id.js';
import { type Sending, sendError, sendJson, sendParts } from './send-json.js';
import type { UnsentAnswer, UnsentAnswers } from './unsent-answers.js';

export interface Serving extends KeyedServing {
  readonly authenticate: Authenticate;
  readonly now: () => Timestamp;
  readonly log: Log;
  /** Waits until the keys that were issued before this start are known. */
  readonly started: () => TE.TaskEither<ReadModelBehind | StoreUnavailable, void>;
  readonly isPosition: (text: string) => boolean;
  readonly budget: ByteBudget;
  readonly unsent: UnsentAnswers;
  readonly read: ReadBytes;
  /** Told of every write. */
  readonly wrote: (position: Position) => void;
  /** Waits until the read models show a position, and all that this instance acknowledged. */
  readonly upTo: (position: Position | null) => TE.TaskEither<ReadModelBehind, void>;
}

const textParams = ({ params }: Request): Call['params'] =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]));

/** The revision that a write depends on; a read depends on none, but waits for the position that it asks for. */
const condition = (
  { isPosition, upTo }: Serving,
  { method }: Endpoint,
  headers: IncomingHttpHeaders,
): TE.TaskEither<Refusal, number | null> =>
  method === 'get'
    ? pipe(
        TE.fromEither<Refusal, Position | null>(minimalPosition(headers, isPosition)),
        TE.chainW(upTo),
        TE.map(() => null),
      )
    : TE.fromEither(conditionOf(headers));

const reportBreak =
  (log: Log, request_id: string) =>
  (reason: string): void =>
    log.warn('an answer was interrupted', { request_id, reason });
const nothing = (): void => undefined;

/** Whoever calls, by what the endpoint itself knows, or by an API key. */
const callerOf = (
  { authenticate, started }: Serving,
  endpoint: Endpoint,
  headers: IncomingHttpHeaders,
  params: Call['params'],
): TE.TaskEither<Refusal, Caller> =>
  pipe(
    started(),
    TE.chainW((): TE.TaskEither<Refusal, Caller> => endpoint.callerOf?.(headers, params) ?? authenticate(headers)),
  );

const sendRefusal = (response: Response, refusal: Refusal, log: Log, request_id: string): void => {
  const error = httpErrorOf(refusal);
  if (error.status >= 500 && refusal._tag !== 'AtCapacity' && refusal._tag !== 'ServerBusy')
    log.error('request failed', { request_id, failure: refusal._tag });
  // Its client may have left, as in the middle of a body.
  if (!response.destroyed) sendError(response, error);
};

const sendAnswer = (response: Response, answer: Answer, plainly: Sending): void => {
  const { body, json = null, parts, headers = {}, endsAfter = null } = answer;
  const sending = { ...plainly, endsAfter };
  response.set(headers);
  if (parts === undefined) sendJson(response, 200, body, json, sending);
  else sendParts(response, parts, sending);
};

/** Serves one endpoint: it is told who calls, and is given the body and the headers' conditions to look at in its turn. */
export const serveEndpoint =
  (serving: Serving, endpoint: Endpoint): RequestHandler =>
  async (request, response) => {
    const { now, log, budget, read } = serving;
    let release = nothing;
    let unsent: UnsentAnswer | null = null;
    const request_id = requestIdOf(response);
    let last: Position | null = null;
    const onWrite = (position: Position): void => {
      if (last === null || position > last) last = position;
      serving.wrote(position);
    };
    const { headers } = request;
    const params = textParams(request);
    const admit = (caller: Caller): Enclosed['admit'] =>
      pipe(
        condition(serving, endpoint, headers),
        TE.map((if_match) => ({ caller, request_id, at: now(), if_match, onWrite, requireVisible: serving.wrote })),
      );
    const served: TE.TaskEither<Refusal, Answer> = pipe(
      callerOf(serving, endpoint, headers, params),
      TE.chainW((caller) => {
        const { query, seal, ignored } = queryOf(request, endpoint, caller.account_id);
        if (ignored !== null) response.set('X-Ignored-Parameters', ignored);
        const claim = budget.open(caller.account_id);
        release = claim.release;
        unsent = serving.unsent.open(caller.account_id, () => response.destroy());
        return endpoint.serve(
          { headers, params, query, seal, request: { caller }, isGone: () => response.destroyed },
          {
            body: receiveBody(request, response, endpoint.bodyLimit ?? 0, claim),
            read,
            once: onceForKey(serving, endpoint, request, {
              caller,
              request_id,
              at: now(),
              if_match: null,
              onWrite,
              requireVisible: serving.wrote,
            }),
            admit: admit(caller),
          },
        );
      }),
    );
    const answer = await served().finally(() => release());
    if (last !== null) response.set('X-Event-Position', last);
    if (E.isLeft(answer)) sendRefusal(response, answer.left, log, request_id);
    else sendAnswer(response, answer.right, { onBreak: reportBreak(log, request_id), unsent });
  };
