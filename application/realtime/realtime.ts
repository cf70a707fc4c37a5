import type { Either } from 'fp-ts/lib/Either.js';
import { type AccountId, type InstanceId, SessionId } from '../../domain/kernel/ids.js';
import type { Timestamp } from '../../domain/kernel/timestamp.js';
import type { Position } from '../../domain/kernel/recorded-event.js';
import type { SessionTerms, HeldSession } from '../../domain/realtime-session/step.js';
import type { Uses } from '../application.js';
import { type KeyedQueue, keyedQueue } from '../waiting.js';
import type {
  IceServers,
  EngineUnavailable,
  RealtimeEngine,
  EngineReport,
  ResultsFrame,
  ResultsListener,
} from '../ports/realtime-engine.js';
import type { Timers } from '../ports/clock.js';
import type { RequestContext, Caller } from '../commands/context.js';
import type { Task } from 'fp-ts/lib/Task.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';

type Results = Exclude<EngineReport, { kind: 'media' }>;

/** The connection to a session's only listener. Nothing is buffered while there is none. */
interface ResultsStream {
  readonly open: (listener: ResultsListener) => void;
  readonly drop: () => void;
  readonly send: (frame: ResultsFrame) => void;
  readonly result: (results: Results) => void;
  readonly close: (code: number, reason: string) => void;
}

export const resultsStream = (session_id: SessionId, { now }: Timers): ResultsStream => {
  let listener: ResultsListener | null = null;
  let seq = 0;
  const send = (frame: ResultsFrame): void => listener?.send({ ...frame, session_id, at: now() });
  const drop = (): void => {
    listener = null;
  };
  return {
    open: (opened) => {
      listener = opened;
    },
    drop,
    send,
    result: (results) => {
      if (listener === null) return;
      seq += 1;
      send({ type: 'result', seq, ...results });
    },
    close: (code, reason) => {
      listener?.close(code, reason);
      drop();
    },
  };
};

/** A session that this process holds: its state beside its events, and its resources. */
export interface LiveSession {
  readonly session_id: SessionId;
  readonly account_id: AccountId;
  /** Who created it, and by which request: the actor of what the session does by itself. */
  readonly caller: Caller;
  readonly request_id: string;
  readonly results: ResultsStream;
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
export const engineHealth = ({ health }: Realtime): Task<EngineHealth> =>
  pipe(
    health,
    TE.match(
      (): EngineHealth => ({ status: 'unreachable', retry_after_seconds }),
      () => ({ status: 'ok', retry_after_seconds: null }),
    ),
  );

/** Makes concurrent calls share one running call and its result. */
const sharedAnswer = <Refused, Result>(ask: () => TE.TaskEither<Refused, Result>): TE.TaskEither<Refused, Result> => {
  let running: Promise<Either<Refused, Result>> | null = null;
  return () => {
    running ??= ask()().finally(() => {
      running = null;
    });
    return running;
  };
};

export interface RealtimeSettings extends SessionTerms {
  /** The maximum number of concurrent sessions over all instances. */
  readonly max_sessions: number;
  /** The maximum for one account. */
  readonly max_sessions_per_account: number;
  /** The lifetime of a session token. */
  readonly token_seconds: number;
}

export interface RealtimeNeeds {
  readonly engine: RealtimeEngine;
  readonly timers: Timers;
  readonly iceServers: IceServers;
  readonly settings: RealtimeSettings;
  readonly instance_id: InstanceId;
  /** Called with the positions of events that sessions write by themselves. */
  readonly onWrite: (position: Position) => void;
}

/** The state and services of realtime sessions, beside the application. */
export interface Realtime extends RealtimeNeeds {
  /** Whether the engine can be reached. */
  readonly health: TE.TaskEither<EngineUnavailable, void>;
  readonly live: LiveSessions;
  /** Cancels the next credit check, by account. */
  readonly creditWatches: Map<AccountId, () => void>;
  readonly queue: KeyedQueue;
  /** Cancels the next check of the keys of running sessions; null: none is scheduled. */
  keyWatch: (() => void) | null;
  closing: boolean;
  /** Sessions that are being created, with their accounts. */
  readonly beginning: Map<SessionId, AccountId>;
  /** When accounts that found no free slot were last admitted. */
  readonly admitted: Map<AccountId, Timestamp>;
  /** Until when all slots are assumed to be taken; null: unknown. */
  full_until: Timestamp | null;
}

export const realtimeOf = (needs: RealtimeNeeds): Realtime => ({
  ...needs,
  health: sharedAnswer(needs.engine.health),
  live: new Map(),
  creditWatches: new Map(),
  queue: keyedQueue(),
  keyWatch: null,
  closing: false,
  beginning: new Map(),
  admitted: new Map(),
  full_until: null,
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
  ({ log }: Uses<'log'>, what: string, session: string) =>
  ({ _tag }: { readonly _tag: string }): void =>
    log.warn(what, { session, failure: _tag });
