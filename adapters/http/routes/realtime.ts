import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import {
  type RunningSession,
  authoriseToken,
  isSessionToken,
  authoriseSession,
  authoriseSessionId,
  renewToken,
} from '../../../application/realtime/open-results.js';
import { bearerToken } from '../request-head.js';
import {
  addCandidate,
  createSession,
  endSession,
  heldSession,
  negotiate,
  wasCreated,
} from '../../../application/realtime/sessions.js';
import { eraseSession } from '../../../application/use-cases/erasure/erase.js';
import type { SessionId } from '../../../domain/kernel/ids.js';
import * as codecs from '../codecs/realtime.js';
import { answering, ok, recordAnswer, withBody, withoutBody } from '../declare-endpoint.js';
import { anyone } from '../finders.js';
import type { Call, Endpoint, Finder } from '../endpoint.js';

/** The path of the results socket. */
export const resultsPath = '/v2/realtime/results';

/** Where the endpoints of a session are, and its results socket. */
const addressesOf = ({ service: { public_url }, headers }: Call, session_id: SessionId) => {
  const base = (public_url ?? `http://${headers.host ?? 'localhost'}`).replace(/\/+$/, '');
  return {
    session_url: `${base}/v2/realtime/session/${session_id}`,
    results_url: `${base.replace(/^http/i, 'ws')}${resultsPath}?session_id=${session_id}`,
  };
};

const session: Finder<RunningSession, 'SessionNotFound' | 'NotAuthorised'> = {
  access: ['owner', 'admin', 'session_token'],
  refuses: ['SessionNotFound', 'NotAuthorised'],
  find: ({ service: { app }, params, request }) => authoriseSession(app, request.caller, params['session_id'] ?? ''),
  recordOf: ({ created }, { app }) => app.realtimeSessions.load(created.session_id),
};

/** Accepts the token of the session in addition to a key of its account. */
const withToken = (endpoint: Endpoint): Endpoint => ({
  ...endpoint,
  refuses: [...endpoint.refuses, 'InvalidSessionToken'],
  callerOf: ({ service: { app }, headers, params: { session_id = '' } }) => {
    const token = bearerToken(headers);
    return token !== null && isSessionToken(token) ? authoriseToken(app, token, session_id) : null;
  },
});

/** Realtime sessions (specification, sections 4.5 and 7.4). */
export const realtimeEndpoints: ReadonlyArray<Endpoint> = [
  withoutBody(
    'sessions.price',
    'Get the price of realtime sessions',
    'The price per minute and the balance of the account.',
    anyone,
    { answer: codecs.SessionPrice },
    ({ service: { app, realtime }, request: { caller } }) =>
      answering(app.creditAccounts.load(caller.account_id), ({ state: { balance } }) => ({
        price_per_minute: realtime.settings.price_per_minute,
        balance,
      })),
  ),
  withBody(
    'sessions.create',
    'Create a realtime session',
    'With the returned token, a web page can use this session and its results without an API key. The token is shown only once.',
    anyone,
    {
      body: codecs.CreateSessionBody,
      answer: codecs.NewSession,
      refuses: ['NoCreditToStart', 'EngineUnavailable', 'AtCapacity', 'SessionExists'],
      made: ({ service }, id) => wasCreated(service.app, id),
    },
    (call, _, { metadata }) =>
      pipe(
        createSession(call.service.realtime, call.request, metadata ?? {}),
        TE.map((created) => ({
          body: { ...created, ...addressesOf(call, created.session_id) },
          secret_of: created.session_id,
        })),
      ),
  ),
  withoutBody(
    'sessions.erase',
    'Erase an ended session',
    'Permanently erases its `metadata`. Charges are kept.',
    {
      access: ['owner', 'admin'],
      refuses: ['SessionNotFound', 'NotAuthorised'],
      find: ({ service: { app }, params, request }) =>
        authoriseSessionId(app, request.caller, params['session_id'] ?? ''),
      recordOf: (session_id, { app }) => app.realtimeSessions.load(session_id),
    },
    { answer: codecs.ErasedSession, refuses: ['SessionRunning', 'LogNotSealed'] },
    ({ service: { app }, request }, session_id) =>
      answering(eraseSession(app, request, session_id), ({ status, erased_at }) => ({ status, erased_at })),
  ),
  ...[
    withBody(
      'sessions.offer',
      'Send a WebRTC offer',
      'Returns the WebRTC answer. A second offer renegotiates.',
      session,
      {
        body: codecs.OfferBody,
        answer: codecs.SessionAnswer,
        refuses: ['InvalidSdp', 'EngineUnavailable', 'SessionElsewhere'],
      },
      ({ service: { realtime }, request }, { created }, { sdp }) =>
        answering(negotiate(realtime, request, created.session_id, sdp), (answer) => ({
          type: 'answer',
          sdp: answer.sdp,
        })),
    ),
    withBody(
      'sessions.addCandidate',
      'Add an ICE candidate',
      'Send each candidate as the browser finds it; an empty candidate signals the end.',
      session,
      {
        body: codecs.CandidateBody,
        answer: codecs.AcceptedCandidate,
        refuses: ['InvalidIceCandidate', 'EngineUnavailable', 'SessionElsewhere'],
      },
      ({ service: { realtime } }, { created }, { candidate, sdp_mid = null, sdp_m_line_index = null }) =>
        answering(addCandidate(realtime, created.session_id, { candidate, sdp_mid, sdp_m_line_index }), () => ({
          status: 'accepted',
        })),
    ),
    withoutBody(
      'sessions.get',
      'Get a session',
      'Its status and the credits charged so far.',
      session,
      { answer: codecs.Session, headers: ['ETag'] },
      (_, { created: { session_id, at: created_at }, status, charged: credits_charged, revision }) =>
        TE.right(recordAnswer({ session_id, status, created_at, credits_charged }, revision)),
    ),
    withoutBody(
      'sessions.end',
      'End a session',
      'Charges the time used. An ended session is answered with 404.',
      session,
      { answer: codecs.EndedSession, refuses: ['SessionElsewhere'] },
      ({ service: { realtime }, request }, { created: { session_id } }) =>
        pipe(
          heldSession(realtime, session_id),
          TE.chainW(() => endSession(realtime, request, session_id)),
          TE.chainW(({ duration_seconds, charged }) =>
            ok({ session_id, status: 'ended', duration_seconds, credits_charged: charged }),
          ),
        ),
    ),
    withoutBody(
      'sessions.renewToken',
      'Create another token',
      'Earlier tokens remain valid until they expire.',
      session,
      { answer: codecs.SessionToken, refuses: ['SecretNotRepeatable', 'TooManyTokens'] },
      ({ service: { realtime }, request }, running) =>
        pipe(
          renewToken(realtime, request, running),
          TE.map((body) => ({ body, secret_of: running.created.session_id })),
        ),
    ),
  ].map(withToken),
];
