import * as t from 'io-ts';
import { type Credits, CreditsText } from '../kernel/credits.js';
import { type DataIn, type EventOf, nullable, JsonObject } from '../kernel/recorded-event.js';
import type { CommandOf } from '../kernel/decider.js';
import { Erasure, type MediumErased } from '../kernel/erased.js';
import { AccountId, InstanceId, SessionId } from '../kernel/ids.js';
import { Timestamp } from '../kernel/timestamp.js';

/** Why a session ended. */
export const EndReason = t.keyof(
  {
    requested: null,
    insufficient_credits: null,
    negotiation_timeout: null,
    idle_timeout: null,
    expired: null,
    /** The key that created it was revoked or has expired. */
    key_revoked: null,
    server_shutdown: null,
    /** The process that held it died. */
    server_lost: null,
  },
  'EndReason',
);
export type EndReason = t.TypeOf<typeof EndReason>;

/** State of a session's media connection, as reported by the engine. */
export const MediaState = t.keyof({ connected: null, disconnected: null, failed: null }, 'MediaState');
export type MediaState = t.TypeOf<typeof MediaState>;

const Created = t.type({
  session_id: SessionId,
  account_id: AccountId,
  /** The instance that holds the session. */
  instance_id: InstanceId,
  token_hash: t.string,
  token_expires_at: Timestamp,
  expires_at: Timestamp,
  price_per_minute: CreditsText,
  metadata: JsonObject,
  at: Timestamp,
});

export const realtimeSessionEvents = {
  RealtimeSessionCreated: Created,
  /** An additional token for the session; existing valid tokens stay valid. */
  RealtimeSessionTokenIssued: t.type({ token_hash: t.string, token_expires_at: Timestamp, at: Timestamp }),
  /** The first offer was answered. */
  RealtimeSessionNegotiated: t.type({ at: Timestamp }),
  RealtimeSessionConnected: t.type({ at: Timestamp }),
  RealtimeSessionDisconnected: t.type({ state: t.keyof({ disconnected: null, failed: null }), at: Timestamp }),
  /**
   * The seconds of use that this metering covers, starting where the last one ended. Use begins with the first media and
   * is not counted while media have failed. `index` counts from 0; `amount` is charged.
   */
  RealtimeSessionMetered: t.type({
    session_id: SessionId,
    account_id: AccountId,
    index: t.number,
    from_second: t.number,
    to_second: t.number,
    amount: CreditsText,
    at: Timestamp,
  }),
  /** `duration_seconds`: whole seconds of use, as far as known. All are metered. */
  RealtimeSessionEnded: t.type({
    session_id: SessionId,
    /** Null in version 1: then no credits are held for the session. */
    account_id: nullable(AccountId),
    reason: EndReason,
    duration_seconds: t.number,
    credits_charged: CreditsText,
    at: Timestamp,
  }),
  MediumErased: Erasure,
} as const;

export type RealtimeSessionEvent = EventOf<typeof realtimeSessionEvents>;

type Recorded<Type extends RealtimeSessionEvent['type']> = DataIn<RealtimeSessionEvent, Type>;

/** Creates a session. The event stores the price as a string. */
export type CreateSession = { readonly type: 'CreateSession'; readonly price_per_minute: Credits } & Omit<
  t.TypeOf<typeof Created>,
  'price_per_minute'
>;
export type IssueToken = CommandOf<'IssueToken', Recorded<'RealtimeSessionTokenIssued'>>;
type RecordNegotiation = CommandOf<'RecordNegotiation', Recorded<'RealtimeSessionNegotiated'>>;
type RecordMedia = CommandOf<'RecordMedia', { state: MediaState; at: Timestamp }>;
/** Meters the whole seconds of use that were not metered before. */
type MeterSession = CommandOf<'MeterSession', { at: Timestamp }>;
export interface EndSession {
  readonly type: 'EndSession';
  readonly reason: EndReason;
  /**
   * Until when the session is known to have been in use: seconds up to then are metered. Null: none since the last
   * metering.
   */
  readonly used_until: Timestamp | null;
  readonly at: Timestamp;
}
/** Erases the session permanently, with the client's metadata. */
type EraseSession = CommandOf<'EraseSession', { at: Timestamp }>;
export type RealtimeSessionCommand =
  | CreateSession
  | IssueToken
  | RecordNegotiation
  | RecordMedia
  | MeterSession
  | EndSession
  | EraseSession;

export type RealtimeSessionRefusal =
  | { readonly _tag: 'SessionExists' }
  /** The session does not exist or has ended. */
  | { readonly _tag: 'SessionNotFound' }
  /** The session must be ended first. */
  | { readonly _tag: 'SessionRunning' }
  | MediumErased
  /** The maximum number of tokens is valid already. */
  | { readonly _tag: 'TooManyTokens'; readonly most: number };

export type SessionNotFound = Extract<RealtimeSessionRefusal, { readonly _tag: 'SessionNotFound' }>;

/** The refusals that each command can get. */
export const realtimeSessionRefusals = {
  CreateSession: ['SessionExists'],
  IssueToken: ['SessionNotFound', 'TooManyTokens'],
  RecordNegotiation: ['SessionNotFound'],
  RecordMedia: ['SessionNotFound'],
  MeterSession: ['SessionNotFound'],
  EndSession: ['SessionNotFound'],
  EraseSession: ['SessionNotFound', 'SessionRunning'],
} as const satisfies Readonly<Record<RealtimeSessionCommand['type'], ReadonlyArray<RealtimeSessionRefusal['_tag']>>>;
