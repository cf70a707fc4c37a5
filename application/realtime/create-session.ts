import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { Failure, RevisionChanged } from '../failures.js';
import { SessionId } from '../../domain/kernel/ids.js';
import type { JsonObject } from '../../domain/kernel/recorded-event.js';
import { type Timestamp, secondsAfter } from '../../domain/kernel/timestamp.js';
import type { AtCapacity, TakeSlot } from '../../domain/realtime-capacity/contract.js';
import type { CreateSession, RealtimeSessionRefusal } from '../../domain/realtime-session/contract.js';
import { type RequestContext, newId, idsOf } from '../commands/context.js';
import type { IceServer, EngineUnavailable } from '../ports/realtime-engine.js';
import { abandonSession } from './end-session.js';
import { type NoCreditToStart, admitSession, holdForSession } from './admit-session.js';
import { holdSession } from './proceed.js';
import { type Realtime, slots } from './realtime.js';
import { sessionToken } from './open-results.js';

/** A slot and a credit hold lapse this long after the latest end of their session. */
const lapse_seconds = 300;

type NotCreated = Extract<RealtimeSessionRefusal, { readonly _tag: 'SessionExists' }>;
type Refusal = NoCreditToStart | EngineUnavailable | AtCapacity | NotCreated | RevisionChanged | Failure;

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
): TE.TaskEither<Refusal, NewSession> => {
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
): TE.TaskEither<Refusal, NewSession> =>
  pipe(
    admitSession(realtime, request.caller.account_id, request.at),
    TE.chainW(() => reachable(realtime)),
    TE.chainW(() => {
      const given = { ...request, at: realtime.timers.now(), if_match: null };
      return begun(realtime, given, newId(idsOf(realtime.app.ids, request), SessionId), metadata);
    }),
  );
