import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { type Failure, type RevisionChanged, narrowRefusal } from '../failures.js';
import { type AccountId, SessionId } from '../../domain/kernel/ids.js';
import type { JsonObject } from '../../domain/kernel/recorded-event.js';
import { type Timestamp, secondsAfter } from '../../domain/kernel/timestamp.js';
import type { AtCapacity } from '../../domain/realtime-capacity/contract.js';
import {
  type CreateSession,
  type RealtimeSessionRefusal,
  isRealtimeSessionRefusal,
} from '../../domain/realtime-session/contract.js';
import type { Application, Uses } from '../application.js';
import { type RequestContext, newId, idsOf } from '../commands/context.js';
import type { IceServer, EngineUnavailable } from '../ports/realtime-engine.js';
import { abandonSession } from './end-session.js';
import { type NoCreditToStart, admitSession, holdForSession } from './admit-session.js';
import { type SessionNeeds, holdSession, proceed } from './proceed.js';
import { type Realtime, logFailure, slots } from './realtime.js';
import { sessionToken } from './open-results.js';
import { isLiveKey } from '../../domain/access/decider.js';

type NoSlot = AtCapacity | RevisionChanged | Failure;

/** A slot lapses this long after the latest end of its session. */
const lapse_seconds = 300;
/** When the slot and the credit hold of a session lapse. */
const lapseOf = (expires_at: Timestamp): Timestamp => secondsAfter(expires_at, lapse_seconds);

/** Takes a slot for a session that ends at `expires_at` at the latest. */
const takeSlot = (
  app: Uses<'perform'>,
  realtime: Realtime,
  request: RequestContext,
  session_id: SessionId,
  expires_at: Timestamp,
): TE.TaskEither<NoSlot, void> => {
  const { settings, instance_id, timers } = realtime;
  const at = timers.now();
  return pipe(
    app.perform({ ...request, at, if_match: null }, 'realtimeCapacities', slots, {
      type: 'TakeSlot',
      session_id,
      account_id: request.caller.account_id,
      instance_id,
      capacity: settings.max_sessions,
      account_capacity: settings.max_sessions_per_account,
      lapses_at: lapseOf(expires_at),
      at,
    }),
    TE.map(() => undefined),
  );
};

/** The interval between checks of the keys of running sessions. */
const every_seconds = 2;

/** Ends an account's sessions whose keys were revoked, on any instance, or have expired. */
const checkAccount = (app: Uses<'accounts'> & SessionNeeds, realtime: Realtime, account_id: AccountId): Promise<void> =>
  pipe(
    app.accounts.load(account_id),
    TE.matchE(
      (failure) => async () =>
        logFailure(app, 'the keys of sessions could not be read; they are tried again', account_id)(failure),
      ({ state }) =>
        async () => {
          const now = realtime.timers.now();
          const lost = [...realtime.live.values()].filter(
            (live) => live.account_id === account_id && !isLiveKey(state, live.caller.maker_id, now),
          );
          await Promise.all(
            lost.map((live) => proceed(app, realtime, live, { type: 'EndRequested', reason: 'key_revoked' })),
          );
        },
    ),
  )();

const look = async (app: Uses<'accounts'> & SessionNeeds, realtime: Realtime): Promise<void> => {
  const accounts = new Set([...realtime.live.values()].map(({ account_id }) => account_id));
  for (const account_id of accounts) await checkAccount(app, realtime, account_id);
  realtime.keyWatch = null;
  watchKeys(app, realtime);
};

/** Checks regularly, while sessions run here, whether the keys that created them are still valid. */
const watchKeys = (app: Uses<'accounts'> & SessionNeeds, realtime: Realtime): void => {
  if (realtime.keyWatch !== null || realtime.live.size === 0 || realtime.closing) return;
  realtime.keyWatch = realtime.timers.after(every_seconds, () => void look(app, realtime));
};

type NotCreated = Extract<RealtimeSessionRefusal, { readonly _tag: 'SessionExists' }>;
type Refusal = NoCreditToStart | EngineUnavailable | AtCapacity | NotCreated | RevisionChanged | Failure;

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

const reachable = ({ engine, closing }: Realtime): TE.TaskEither<EngineUnavailable, void> =>
  closing ? TE.left({ _tag: 'EngineUnavailable', reason: 'the service is shutting down' }) : engine.health();

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

/** POST /v2/realtime/session (specification, sections 7.4 and 8): credit, a reachable engine, then a free slot. */
export const createSession = (
  app: Application,
  realtime: Realtime,
  request: RequestContext,
  metadata: JsonObject,
): TE.TaskEither<Refusal, NewSession> =>
  pipe(
    admitSession(app, realtime, request.caller.account_id, request.at),
    TE.chainW(() => reachable(realtime)),
    TE.chainW(() => begun(app, realtime, request, newId(idsOf(app.ids, request), SessionId), metadata)),
  );
