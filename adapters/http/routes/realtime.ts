import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import {
  type RunningSession,
  authoriseToken,
  isSessionToken,
  authoriseSession,
  authoriseSessionId,
  renewToken,
} from '../../../application/realtime/authorise-session.js';
import { bearerToken } from '../authenticate.js';
import { createSession } from '../../../application/realtime/create-session.js';
import { endSession } from '../../../application/realtime/end-session.js';
import { addCandidate, heldSession, negotiate } from '../../../application/realtime/negotiate.js';
import type { Realtime } from '../../../application/realtime/realtime.js';
import { eraseSession } from '../../../application/use-cases/erasure/erase.js';
import type { SessionId } from '../../../domain/kernel/ids.js';
import {
  AcceptedCandidate,
  EndedSession,
  ErasedSession,
  NewSession,
  Session,
  SessionAnswer,
  SessionPrice,
  SessionToken,
  CandidateBody,
  CreateSessionBody,
  OfferBody,
} from '../codecs/realtime.js';
import { ok, withBody, withoutBody } from '../declare-endpoint.js';
import type { Call, Endpoint, Finder } from '../endpoint.js';
import type { Refusal } from '../refusals/refusals.js';
import { type Service, anyone, revision } from '../service.js';

/** The path of the results socket. */
export const resultsPath = '/v2/realtime/results';

export interface RealtimeAddress {
  /** The URL at which clients reach the service; null: the host of the request. */
  readonly public_url: string | null;
}

/** Where the endpoints of a session are, and its results socket. */
const addressesOf = ({ public_url }: RealtimeAddress, { headers }: Call, session_id: SessionId) => {
  const base = (public_url ?? `http://${headers.host ?? 'localhost'}`).replace(/\/+$/, '');
  return {
    session_url: `${base}/v2/realtime/session/${session_id}`,
    results_url: `${base.replace(/^http/i, 'ws')}${resultsPath}?session_id=${session_id}`,
  };
};

/** Whether a session was created; the request for it may have been interrupted. */
const sessionExists = ({ app }: Service, session_id: string): TE.TaskEither<Refusal, boolean> =>
  pipe(
    app.realtimeSessions.load(session_id),
    TE.map(({ state }) => state._tag !== 'Uncreated'),
  );

/** The price per minute and the balance, for users who are about to start a session. */
const price = ({ app }: Service, { settings }: Realtime): Endpoint =>
  withoutBody({ operation: 'sessions.price', answer: SessionPrice }, anyone, ({ request: { caller } }) =>
    pipe(
      app.creditAccounts.load(caller.account_id),
      TE.chainW(({ state: { balance } }) => ok({ price_per_minute: settings.price_per_minute, balance })),
    ),
  );

const create = (service: Service, realtime: Realtime, address: RealtimeAddress): Endpoint =>
  withBody(
    {
      operation: 'sessions.create',
      answer: NewSession,
      refuses: ['NoCreditToStart', 'EngineUnavailable', 'AtCapacity', 'SessionExists'],
    },
    CreateSessionBody,
    anyone,
    (call, _, { metadata }) =>
      pipe(
        createSession(service.app, realtime, call.request, metadata ?? {}),
        TE.map((created) => ({
          body: { ...created, ...addressesOf(address, call, created.session_id) },
          secret_of: created.session_id,
        })),
      ),
    { optional: true, made: (_, id) => sessionExists(service, id) },
  );

const session = ({ app }: Service): Finder<RunningSession, 'SessionNotFound' | 'NotAuthorised'> => ({
  access: ['owner', 'admin', 'session_token'],
  refuses: ['SessionNotFound', 'NotAuthorised'],
  find: ({ params, request }) => authoriseSession(app, request.caller, params['session_id'] ?? ''),
  revisionOf: ({ created }) => revision(app.realtimeSessions, created.session_id),
});

const offer = (service: Service, realtime: Realtime): Endpoint =>
  withBody(
    {
      operation: 'sessions.offer',
      answer: SessionAnswer,
      refuses: ['InvalidSdp', 'EngineUnavailable', 'SessionElsewhere'],
    },
    OfferBody,
    session(service),
    ({ request }, { created }, { sdp }) =>
      pipe(
        negotiate(service.app, realtime, request, created.session_id, sdp),
        TE.chainW((answer) => ok({ type: 'answer', sdp: answer.sdp })),
      ),
  );

const ice = (service: Service, realtime: Realtime): Endpoint =>
  withBody(
    {
      operation: 'sessions.addCandidate',
      answer: AcceptedCandidate,
      refuses: ['InvalidIceCandidate', 'EngineUnavailable', 'SessionElsewhere'],
    },
    CandidateBody,
    session(service),
    (_, { created }, body) =>
      pipe(
        addCandidate(service.app, realtime, created.session_id, {
          candidate: body.candidate,
          sdp_mid: body.sdp_mid ?? null,
          sdp_m_line_index: body.sdp_m_line_index ?? null,
        }),
        TE.chainW(() => ok({ status: 'accepted' })),
      ),
  );

const show = (service: Service): Endpoint =>
  withoutBody(
    { operation: 'sessions.get', answer: Session, headers: ['ETag'] },
    session(service),
    (_, { created, status, charged, revision }) =>
      TE.right({
        body: {
          session_id: created.session_id,
          status,
          created_at: created.at,
          credits_charged: charged,
        },
        headers: { ETag: `"${revision}"` },
      }),
  );

const end = (service: Service, realtime: Realtime): Endpoint =>
  withoutBody(
    { operation: 'sessions.end', answer: EndedSession, refuses: ['SessionElsewhere'] },
    session(service),
    ({ request }, { created: { session_id } }) =>
      pipe(
        heldSession(service.app, realtime, session_id),
        TE.chainW(() => endSession(service.app, realtime, request, session_id)),
        TE.chainW(({ duration_seconds, charged }) =>
          ok({ session_id, status: 'ended', duration_seconds, credits_charged: charged }),
        ),
      ),
  );

const renew = (service: Service, realtime: Realtime): Endpoint =>
  withoutBody(
    { operation: 'sessions.renewToken', answer: SessionToken, refuses: ['TooManyTokens'] },
    session(service),
    ({ request }, running) =>
      pipe(
        renewToken(service.app, realtime, request, running),
        TE.map((body) => ({ body, secret_of: running.created.session_id })),
      ),
    { hasSecret: true },
  );

const erase = ({ app }: Service): Endpoint =>
  withoutBody(
    { operation: 'sessions.erase', answer: ErasedSession, refuses: ['SessionRunning', 'LogNotSealed'] },
    {
      access: ['owner', 'admin'],
      refuses: ['SessionNotFound', 'NotAuthorised'],
      find: ({ params, request }) => authoriseSessionId(app, request.caller, params['session_id'] ?? ''),
      revisionOf: (session_id) => revision(app.realtimeSessions, session_id),
    },
    ({ request }, session_id) =>
      pipe(
        eraseSession(app, request, session_id),
        TE.chainW(({ status, erased_at }) => ok({ status, erased_at })),
      ),
  );

/** Accepts the token of the session in addition to a key of its account. */
const withToken = ({ app }: Service, endpoint: Endpoint): Endpoint => ({
  ...endpoint,
  refuses: [...endpoint.refuses, 'InvalidSessionToken'],
  callerOf: (headers, { session_id = '' }) => {
    const token = bearerToken(headers);
    return token !== null && isSessionToken(token) ? authoriseToken(app, token, session_id) : null;
  },
});

/** Realtime sessions (specification, sections 4.5 and 7.4). */
export const realtimeEndpoints = (
  service: Service,
  realtime: Realtime,
  address: RealtimeAddress,
): ReadonlyArray<Endpoint> => [
  price(service, realtime),
  create(service, realtime, address),
  erase(service),
  ...[
    offer(service, realtime),
    ice(service, realtime),
    show(service),
    end(service, realtime),
    renew(service, realtime),
  ].map((endpoint) => withToken(service, endpoint)),
];
