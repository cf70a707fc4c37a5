import { type AccountId, type InstanceId, SessionId } from '../../domain/kernel/ids.js';
import type { Timestamp } from '../../domain/kernel/timestamp.js';
import type { Position } from '../../domain/kernel/recorded-event.js';
import type { SessionTerms, HeldSession } from '../../domain/realtime-session/step.js';
import type { Uses } from '../application.js';
import { type KeyedQueue, keyedQueue } from '../queue-and-backoff.js';
import type { IceServers, RealtimeEngine } from '../ports/realtime-engine.js';
import type { ResultsListener } from './results-frames.js';
import type { Timers } from '../ports/clock.js';
import type { RequestContext, Caller } from '../commands/context.js';
import type { Task } from 'fp-ts/lib/Task.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';

/** A session that this process holds: its state beside its events, and its resources. */
export interface LiveSession {
  readonly session_id: SessionId;
  readonly account_id: AccountId;
  /** Who created it, and by which request: the actor of what the session does by itself. */
  readonly caller: Caller;
  readonly request_id: string;
  /** Its only listener. Nothing is kept for it while there is none. */
  listener: ResultsListener | null;
  /** The number of results sent. */
  seq: number;
  /** Changed by `proceed` alone. */
  state: HeldSession;
  /** Its only timer, and when it fires. */
  timer: { readonly at: Timestamp; readonly cancel: () => void } | null;
}

/** The sessions that this process holds. */
type LiveSessions = Map<SessionId, LiveSession>;

/** Whether a credit hold is for a session of this process, which knows that session's unbooked usage itself. */
export const isHeldHere =
  ({ live }: { readonly live: LiveSessions }) =>
  (hold_id: string): boolean =>
    SessionId.is(hold_id) && live.has(hold_id);

export interface EngineHealth {
  readonly status: 'ok' | 'unreachable';
  /** When to ask again; null when all is well. */
  readonly retry_after_seconds: number | null;
}

const retry_after_seconds = 5;

/** Whether the analysis engine is reachable; how much capacity is free has nothing to do with it. */
export const engineHealth = ({ engine }: Realtime): Task<EngineHealth> =>
  pipe(
    engine.health(),
    TE.match(
      (): EngineHealth => ({ status: 'unreachable', retry_after_seconds }),
      () => ({ status: 'ok', retry_after_seconds: null }),
    ),
  );

export interface RealtimeSettings extends SessionTerms {
  /** The maximum number of concurrent sessions over all instances. */
  readonly max_sessions: number;
  /** The maximum for one account. */
  readonly max_sessions_per_account: number;
  /** The lifetime of a session token. */
  readonly token_seconds: number;
}

export interface RealtimeNeeds {
  readonly app: Uses<
    'accounts' | 'clock' | 'creditAccounts' | 'ids' | 'log' | 'perform' | 'realtimeCapacities' | 'realtimeSessions'
  >;
  readonly engine: RealtimeEngine;
  readonly timers: Timers;
  readonly iceServers: IceServers;
  readonly settings: RealtimeSettings;
  readonly instance_id: InstanceId;
  /** Called with the positions of events that sessions write by themselves. */
  readonly onWrite: (position: Position) => void;
}

/** The realtime sessions of a process, with what they use. */
export interface Realtime extends RealtimeNeeds {
  readonly live: LiveSessions;
  /** Cancels the next credit check, by account. */
  readonly creditWatches: Map<AccountId, () => void>;
  readonly queue: KeyedQueue;
  /** Cancels the next check of the keys of running sessions; null: none is scheduled. */
  keyWatch: (() => void) | null;
  closing: boolean;
}

export const realtimeOf = (needs: RealtimeNeeds): Realtime => ({
  ...needs,
  live: new Map(),
  creditWatches: new Map(),
  queue: keyedQueue(),
  keyWatch: null,
  closing: false,
});

/** A request that a session makes by itself, on behalf of its creator. */
export const ownRequest = (realtime: Realtime, { caller, request_id }: LiveSession): RequestContext => ({
  caller,
  request_id,
  at: realtime.timers.now(),
  if_match: null,
  onWrite: realtime.onWrite,
  onKeyWrite: realtime.onWrite,
  requireVisible: realtime.onWrite,
});

/** The id of the only stream of slots. */
export const slots = 'all';

/** Logs a failure that will be retried. */
export const logFailure =
  ({ app }: Realtime, what: string, session: string) =>
  ({ _tag }: { readonly _tag: string }): void =>
    app.log.warn(what, { session, failure: _tag });
