import * as TE from 'fp-ts/lib/TaskEither.js';
import { constVoid, pipe } from 'fp-ts/lib/function.js';
import type { Tagged } from '../../domain/kernel/decider.js';
import { type AccountId, SessionId } from '../../domain/kernel/ids.js';
import type { JsonObject } from '../../domain/kernel/recorded-event.js';
import { type Timestamp, secondsAfter } from '../../domain/kernel/timestamp.js';
import type { AtCapacity, TakeSlot } from '../../domain/realtime-capacity/contract.js';
import type { CreateSession, RealtimeSessionRefusal, SessionNotFound } from '../../domain/realtime-session/contract.js';
import type { EndedSession } from '../../domain/realtime-session/decider.js';
import { usedUntil } from '../../domain/realtime-session/step.js';
import type { Uses } from '../application.js';
import { type RequestContext, idsOf, newId, serviceRequest } from '../commands/context.js';
import { checkRevision } from '../commands/handle-command.js';
import type { Failure, RevisionChanged } from '../failures.js';
import type {
  EngineReport,
  EngineUnavailable,
  IceCandidate,
  IceServer,
  InvalidIceCandidate,
  InvalidSdp,
} from '../ports/realtime-engine.js';
import { releaseHold } from '../use-cases/credits/credits.js';
import { type NoCreditToStart, admitSession, holdForSession } from './admit-session.js';
import { sessionToken } from './open-results.js';
import { endOf, holdSession, proceed, send } from './proceed.js';
import { type LiveSession, type Realtime, logFailure, slots } from './realtime.js';

/* What requests do to sessions: create, negotiate and end. */

/** A slot and a credit hold lapse this long after the latest end of their session. */
const lapse_seconds = 300;

type NotCreated = Extract<RealtimeSessionRefusal, { readonly _tag: 'SessionExists' }>;
type Uncreated = NoCreditToStart | EngineUnavailable | AtCapacity | NotCreated | RevisionChanged | Failure;

export interface NewSession {
  readonly session_id: SessionId;
  readonly token: string;
  readonly token_expires_at: Timestamp;
  readonly ice_servers: ReadonlyArray<IceServer>;
  readonly expires_at: Timestamp;
}

const reachable = ({ engine, closing }: Realtime): TE.TaskEither<EngineUnavailable, void> =>
  closing ? TE.left({ _tag: 'EngineUnavailable', reason: 'the service is shutting down' }) : engine.health();

/**
 * Takes a slot, holds credit, then writes the session and starts it in this process. If this fails, slot and credit are
 * released.
 */
const begun = (
  realtime: Realtime,
  request: RequestContext,
  session_id: SessionId,
  metadata: JsonObject,
): TE.TaskEither<Uncreated, NewSession> => {
  const { app, settings, instance_id } = realtime;
  const { account_id } = request.caller;
  const { at } = request;
  const expires_at = secondsAfter(at, settings.session_seconds);
  const token_expires_at = secondsAfter(at, Math.min(settings.token_seconds, settings.session_seconds));
  const lapses_at = secondsAfter(expires_at, lapse_seconds);
  const token = sessionToken(app.ids, session_id);
  const common = { session_id, account_id, instance_id };
  const slot: TakeSlot = {
    type: 'TakeSlot',
    ...common,
    capacity: settings.max_sessions,
    account_capacity: settings.max_sessions_per_account,
    lapses_at,
    at,
  };
  const session: CreateSession = {
    type: 'CreateSession',
    ...common,
    token_hash: app.ids.digest(token),
    token_expires_at,
    expires_at,
    price_per_minute: settings.price_per_minute,
    metadata,
    at,
  };
  return pipe(
    app.perform(request, 'realtimeCapacities', slots, slot),
    TE.chainW(() => holdForSession(realtime, request, session_id, lapses_at)),
    TE.chainW(() => app.perform(request, 'realtimeSessions', session_id, session)),
    TE.map(() => {
      holdSession(realtime, request, session_id);
      const ice_servers = realtime.iceServers(session_id, expires_at);
      return { session_id, token, token_expires_at, ice_servers, expires_at };
    }),
    TE.orElseFirstTaskK((refusal) => async () => {
      if (refusal._tag !== 'AtCapacity') await abandonSession(realtime, { session_id, account_id });
    }),
  );
};

/** POST /v2/realtime/session (specification, sections 7.4 and 8): credit, a reachable engine, then a free slot. */
export const createSession = (
  realtime: Realtime,
  request: RequestContext,
  metadata: JsonObject,
): TE.TaskEither<Uncreated, NewSession> =>
  pipe(
    admitSession(realtime, request.caller.account_id, request.at),
    TE.chainW(() => reachable(realtime)),
    TE.chainW(() => {
      const given = { ...request, at: realtime.timers.now(), if_match: null };
      return begun(realtime, given, newId(idsOf(realtime.app.ids, request), SessionId), metadata);
    }),
  );

/** Whether a session was created; the request for it may have been interrupted. */
export const wasCreated = (app: Uses<'realtimeSessions'>, session_id: string): TE.TaskEither<Failure, boolean> =>
  pipe(
    app.realtimeSessions.load(session_id),
    TE.map(({ state }) => state._tag !== 'Uncreated'),
  );

/** The session runs on another instance, with that instance's engine. */
export type SessionElsewhere = Tagged<'SessionElsewhere'>;

type Unheld = SessionElsewhere | SessionNotFound | Failure;

/** The session, if this process holds it. */
export const heldSession = ({ app, live }: Realtime, session_id: SessionId): TE.TaskEither<Unheld, LiveSession> => {
  const held = live.get(session_id);
  if (held !== undefined) return TE.right(held);
  return pipe(
    app.realtimeSessions.load(session_id),
    TE.chainW(({ state }) => TE.left<Unheld>({ _tag: state._tag === 'Open' ? 'SessionElsewhere' : 'SessionNotFound' })),
  );
};

const noted = (
  realtime: Realtime,
  request: RequestContext,
  live: LiveSession,
): TE.TaskEither<Unheld | RevisionChanged | EngineUnavailable, void> => {
  const at = realtime.timers.now();
  return pipe(
    realtime.app.perform({ ...request, at, if_match: null }, 'realtimeSessions', live.session_id, {
      type: 'RecordNegotiation',
      at,
    }),
    TE.chainTaskK(() => () => proceed(realtime, live, { type: 'Negotiated' })),
    // The engine began the session again if it had ended, and been closed, while the offer was answered.
    TE.orElseFirstW((refusal) =>
      refusal._tag === 'SessionNotFound' || live.state._tag === 'Finished'
        ? realtime.engine.close(live.session_id)
        : TE.right(undefined),
    ),
  );
};

/** Handles the engine's reports of a session; ignores them after its end. */
const receiveReport =
  (realtime: Realtime, live: LiveSession) =>
  (report: EngineReport): void => {
    if (report.kind === 'media') void proceed(realtime, live, { type: 'MediaReported', state: report.state });
    else if (live.state._tag !== 'Finished' && live.listener !== null)
      send(realtime, live, { type: 'result', seq: (live.seq += 1), ...report });
  };

/** POST …/offer: the engine's answer. Offers of one session are answered one at a time. */
export const negotiate = (
  realtime: Realtime,
  request: RequestContext,
  session_id: SessionId,
  sdp: string,
): TE.TaskEither<Unheld | RevisionChanged | InvalidSdp | EngineUnavailable, { readonly sdp: string }> =>
  pipe(
    heldSession(realtime, session_id),
    TE.bindTo('live'),
    TE.bindW('stored', () => realtime.app.realtimeSessions.load(session_id)),
    // Before the engine is called.
    TE.chainFirstEitherKW(({ stored }) => checkRevision(request.if_match, stored.revision)),
    TE.chainW(({ live }) =>
      realtime.queue.run(
        `offer ${session_id}`,
        pipe(
          realtime.engine.negotiate(session_id, sdp, receiveReport(realtime, live)),
          TE.chainFirstW(() => noted(realtime, request, live)),
        ),
      ),
    ),
  );

/** POST …/ice: passes a trickled candidate to the engine. */
export const addCandidate = (
  realtime: Realtime,
  session_id: SessionId,
  candidate: IceCandidate,
): TE.TaskEither<Unheld | InvalidIceCandidate | EngineUnavailable, void> =>
  pipe(
    heldSession(realtime, session_id),
    TE.chainW(() => realtime.engine.addCandidate(session_id, candidate)),
  );

/** A session that no process holds. The account is unknown if an old version took the slot. */
interface Lost {
  readonly session_id: SessionId;
  readonly account_id: AccountId | null;
}

/** Ends the session, if it was written, and releases its credit hold and its slot. */
const attempt = ({ app, timers }: Realtime, { session_id, account_id }: Lost) => {
  const at = timers.now();
  const request = serviceRequest('realtime', app.ids.random(), at);
  const ending = { type: 'EndSession', reason: 'server_lost', used_until: null, at } as const;
  return pipe(
    app.perform(request, 'realtimeSessions', session_id, ending),
    TE.map(constVoid),
    TE.orElseW((refusal) => (refusal._tag === 'SessionNotFound' ? TE.right(undefined) : TE.left(refusal))),
    TE.chainW(() => (account_id === null ? TE.right(undefined) : releaseHold(app, request, account_id, session_id))),
    TE.chainW(() => app.perform(request, 'realtimeCapacities', slots, { type: 'FreeSlot', session_id, at })),
  );
};

const pause_seconds = 1;

/**
 * Ends a session whose process died or whose creation failed. What was metered stays charged; its credit hold and its slot
 * are released. Retries while the store fails.
 */
export const abandonSession = async (realtime: Realtime, lost: Lost): Promise<void> =>
  pipe(
    attempt(realtime, lost),
    TE.match((refusal) => {
      logFailure(realtime, 'a session could not be abandoned yet', lost.session_id)(refusal);
      if (realtime.closing) return;
      realtime.timers.after(pause_seconds, () => void abandonSession(realtime, lost));
    }, constVoid),
  )();

/** At startup: ends the sessions of the previous process on the same data folder. */
export const endLostSessions = (realtime: Realtime): TE.TaskEither<Failure, number> =>
  pipe(
    realtime.app.realtimeCapacities.load(slots),
    TE.map(({ state }) => state.filter(({ instance_id }) => instance_id === realtime.instance_id)),
    TE.chainFirstTaskK((lost) => async () => {
      for (const one of lost) await abandonSession(realtime, one);
    }),
    TE.map((lost) => lost.length),
  );

/** Ends all sessions of this process and prevents new ones. Those that cannot be ended now are ended at the next start. */
export const endAllSessions = async (realtime: Realtime): Promise<void> => {
  realtime.closing = true;
  for (const cancel of realtime.creditWatches.values()) cancel();
  realtime.creditWatches.clear();
  realtime.keyWatch?.();
  realtime.keyWatch = null;
  await Promise.all(
    [...realtime.live.values()].map((live) =>
      proceed(realtime, live, { type: 'EndRequested', reason: 'server_shutdown' }),
    ),
  );
};

/**
 * POST …/end: charges the usage and frees the slot, then informs the listener. Of several concurrent requests, one ends the
 * session; for the others it is not found.
 */
export const endSession = (
  realtime: Realtime,
  request: RequestContext,
  session_id: SessionId,
): TE.TaskEither<SessionNotFound | RevisionChanged | Failure, EndedSession> => {
  const at = realtime.timers.now();
  const live = realtime.live.get(session_id);
  return pipe(
    realtime.app.perform({ ...request, at }, 'realtimeSessions', session_id, {
      type: 'EndSession',
      reason: 'requested',
      used_until: live === undefined ? at : usedUntil(live.state, at),
      at,
    }),
    TE.chainW(({ state }) =>
      state._tag === 'Ended' ? TE.right(state) : TE.left<SessionNotFound>({ _tag: 'SessionNotFound' }),
    ),
    TE.chainFirstTaskK((ended) => async () => {
      if (live !== undefined) await proceed(realtime, live, endOf(ended));
    }),
  );
};
