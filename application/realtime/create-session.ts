import * as T from 'fp-ts/lib/Task.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { type Failure, type RevisionChanged, narrowRefusal } from '../failures.js';
import { SessionId } from '../../domain/kernel/ids.js';
import type { JsonObject } from '../../domain/kernel/json.js';
import { type Timestamp, secondsAfter } from '../../domain/kernel/timestamp.js';
import type { AtCapacity } from '../../domain/realtime-capacity/contract.js';
import {
  type CreateSession,
  type RealtimeSessionRefusal,
  isRealtimeSessionRefusal,
} from '../../domain/realtime-session/contract.js';
import type { Application, Uses } from '../application.js';
import { newId } from '../ports/ids.js';
import type { IceServer, EngineUnavailable } from '../ports/realtime-engine.js';
import { type RequestContext, idsOf } from '../commands/context.js';
import { abandonSession } from './abandon-session.js';
import { type NoCreditToStart, admitSession, holdForSession } from './admit-session.js';
import { holdSession } from './proceed.js';
import type { Realtime } from './realtime.js';
import { sessionToken } from './authorise-session.js';
import { knownFull, lapseOf, takeSlot } from './take-slot.js';
import { watchKeys } from './watch-keys.js';

type NotCreated = Extract<RealtimeSessionRefusal, { readonly _tag: 'SessionExists' }>;
type Refusal = NoCreditToStart | EngineUnavailable | AtCapacity | NotCreated | RevisionChanged | Failure;

/** How long an admission without a free slot is remembered, and for how many accounts. */
const admission_seconds = 0.25;
const maxAdmissions = 1_000;

/** The id of a new session, and when it ends at the latest. */
interface Place {
  readonly session_id: SessionId;
  readonly expires_at: Timestamp;
}

export interface NewSession {
  readonly session_id: SessionId;
  readonly token: string;
  readonly token_expires_at: Timestamp;
  readonly ice_servers: ReadonlyArray<IceServer>;
  readonly expires_at: Timestamp;
}

const reachable = ({ health, closing }: Realtime): TE.TaskEither<EngineUnavailable, void> =>
  closing ? TE.left({ _tag: 'EngineUnavailable', reason: 'the service is shutting down' }) : health;

/** Writes a new session and starts it in this process. */
const written = (
  app: Application,
  realtime: Realtime,
  request: RequestContext,
  { session_id, expires_at }: Place,
  metadata: JsonObject,
): TE.TaskEither<Refusal, NewSession> => {
  const { settings, timers, iceServers, instance_id } = realtime;
  const at = timers.now();
  const token = sessionToken(app.ids, session_id);
  const token_expires_at = secondsAfter(at, Math.min(settings.token_seconds, settings.session_seconds));
  const command: CreateSession = {
    type: 'CreateSession',
    session_id,
    account_id: request.caller.account_id,
    instance_id,
    token_hash: app.ids.digest(token),
    token_expires_at,
    expires_at,
    price_per_minute: settings.price_per_minute,
    metadata,
    at,
  };
  return pipe(
    app.perform({ ...request, at, if_match: null }, 'realtimeSessions', session_id, command),
    narrowRefusal(isRealtimeSessionRefusal('SessionExists')),
    TE.map(() => {
      holdSession(app, realtime, request, session_id);
      watchKeys(app, realtime);
      const ice_servers = iceServers(session_id, expires_at);
      return { session_id, token, token_expires_at, ice_servers, expires_at };
    }),
  );
};

/** Takes a slot, holds credit, then writes the session. If this fails, slot and credit are released. */
const begun = (
  app: Application,
  realtime: Realtime,
  request: RequestContext,
  session_id: SessionId,
  metadata: JsonObject,
): TE.TaskEither<Refusal, NewSession> => {
  const { settings, timers } = realtime;
  const place: Place = { session_id, expires_at: secondsAfter(timers.now(), settings.session_seconds) };
  return pipe(
    takeSlot(app, realtime, request, session_id, place.expires_at),
    TE.chainW(() => holdForSession(app, realtime, request, session_id, lapseOf(place.expires_at))),
    TE.chainW(() => written(app, realtime, request, place, metadata)),
    TE.orElseFirstTaskK((refusal) => async () => {
      if (refusal._tag !== 'AtCapacity')
        await abandonSession(app, realtime, { session_id, account_id: request.caller.account_id });
    }),
  );
};

/** Checks credit, then capacity. While no slot is free, an account's credit is not checked again for each request. */
const admittedOrFull = (
  app: Uses<'creditAccounts'>,
  realtime: Realtime,
  request: RequestContext,
): TE.TaskEither<NoCreditToStart | AtCapacity | Failure, void> => {
  const { admitted, timers } = realtime;
  const { account_id } = request.caller;
  const last = admitted.get(account_id);
  const isKnown = last !== undefined && timers.now() < secondsAfter(last, admission_seconds);
  const full = isKnown ? knownFull(realtime, account_id) : null;
  if (full !== null) return TE.left(full);
  return pipe(
    admitSession(app, realtime, account_id, request.at),
    TE.chainW(() => {
      const fullNow = knownFull(realtime, account_id);
      if (fullNow === null) return TE.right(undefined);
      if (admitted.size >= maxAdmissions) admitted.clear();
      admitted.set(account_id, timers.now());
      return TE.left(fullNow);
    }),
  );
};

/** POST /v2/realtime/session (specification, sections 7.4 and 8): credit, a reachable engine, then a free slot. */
export const createSession = (
  app: Application,
  realtime: Realtime,
  request: RequestContext,
  metadata: JsonObject,
): TE.TaskEither<Refusal, NewSession> =>
  pipe(
    admittedOrFull(app, realtime, request),
    TE.chainW(() => {
      const session_id = newId(idsOf(app.ids, request), SessionId);
      realtime.beginning.set(session_id, request.caller.account_id);
      return pipe(
        reachable(realtime),
        TE.chainW(() => begun(app, realtime, request, session_id, metadata)),
        T.map((outcome) => {
          realtime.beginning.delete(session_id);
          return outcome;
        }),
      );
    }),
  );
