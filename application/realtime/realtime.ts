import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import type { AccountId, InstanceId, SessionId } from '../../domain/kernel/ids.js';
import type { Timestamp } from '../../domain/kernel/timestamp.js';
import type { Position } from '../../domain/kernel/recorded-event.js';
import type { SessionTerms } from '../../domain/realtime-session/held-session.js';
import type { Uses } from '../application.js';
import { type KeyedQueue, keyedQueue } from '../keyed-queue.js';
import type { IceServers, EngineUnavailable, RealtimeEngine } from '../ports/realtime-engine.js';
import type { Timers } from '../ports/clock.js';
import type { RequestContext } from '../commands/context.js';
import type { LiveSession, LiveSessions } from './live-session.js';
import { sharedAnswer } from './shared-answer.js';

export interface RealtimeSettings extends SessionTerms {
  /** How many sessions may run at once, over all instances. */
  readonly max_sessions: number;
  /** How many of these one account may have. */
  readonly max_sessions_per_account: number;
  /** For how long the token of a new session opens its results. */
  readonly token_seconds: number;
}

export interface RealtimeNeeds {
  readonly engine: RealtimeEngine;
  readonly timers: Timers;
  readonly iceServers: IceServers;
  readonly settings: RealtimeSettings;
  readonly instance_id: InstanceId;
  /** Told of what sessions write by themselves. */
  readonly onWrite: (position: Position) => void;
}

/** What realtime sessions work with beside the application. */
export interface Realtime extends RealtimeNeeds {
  /** Whether the engine can be reached. */
  readonly health: TaskEither<EngineUnavailable, void>;
  readonly live: LiveSessions;
  /** Waits for the next look at an account's credit, by account. */
  readonly creditWatches: Map<AccountId, () => void>;
  readonly queue: KeyedQueue;
  /** Waits for the next look at the keys of running sessions; null: none is due. */
  keyWatch: (() => void) | null;
  closing: boolean;
  /** Sessions that are being created, with their accounts. */
  readonly beginning: Map<SessionId, AccountId>;
  /** When accounts that found no free slot were last admitted. */
  readonly admitted: Map<AccountId, Timestamp>;
  /** Until when it is taken for granted that all slots are taken; null: it has to be looked. */
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

/** What a session does by itself, as a request of those who created it. */
export const ownRequest = (realtime: Realtime, { caller, request_id }: LiveSession): RequestContext => ({
  caller,
  request_id,
  at: realtime.timers.now(),
  if_match: null,
  onWrite: realtime.onWrite,
  requireVisible: realtime.onWrite,
});

/** The one stream that says who holds a slot. */
export const slots = 'all';

/** Tells why something has to be tried again later. */
export const troubleOf =
  ({ log }: Uses<'log'>, what: string, session: string) =>
  ({ _tag }: { readonly _tag: string }): void =>
    log.warn(what, { session, failure: _tag });
