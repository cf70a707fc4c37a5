import * as t from 'io-ts';
import { type Credits, CreditsText } from '../kernel/credits.js';
import { type EventOf, nullable } from '../kernel/event-codecs.js';
import { refusalIn } from '../kernel/decider.js';
import { Erasure, type MediumErased } from '../kernel/erased.js';
import { AccountId, InstanceId, SessionId } from '../kernel/ids.js';
import { JsonObject } from '../kernel/json.js';
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

/** Where the media of a session stands, as the engine tells it. */
export const MediaState = t.keyof({ connected: null, disconnected: null, failed: null }, 'MediaState');
export type MediaState = t.TypeOf<typeof MediaState>;

const Created = t.type({
  session_id: SessionId,
  account_id: AccountId,
  /** The process that holds it. */
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
  /** One more token opens the session, beside those that are valid already. */
  RealtimeSessionTokenIssued: t.type({ token_hash: t.string, token_expires_at: Timestamp, at: Timestamp }),
  /** An offer was answered for the first time. */
  RealtimeSessionNegotiated: t.type({ at: Timestamp }),
  RealtimeSessionConnected: t.type({ at: Timestamp }),
  RealtimeSessionDisconnected: t.type({ state: t.keyof({ disconnected: null, failed: null }), at: Timestamp }),
  /** Seconds since the first media, from where the last metering ended; `index` counts from 0; `amount` is charged. */
  RealtimeSessionMetered: t.type({
    session_id: SessionId,
    account_id: AccountId,
    index: t.number,
    from_second: t.number,
    to_second: t.number,
    amount: CreditsText,
    at: Timestamp,
  }),
  /** `duration_seconds`: whole seconds from the first media to the end, as far as they are known; all are metered. */
  RealtimeSessionEnded: t.type({
    session_id: SessionId,
    /** Null in events of the first version: then nothing is held for the session. */
    account_id: nullable(AccountId),
    reason: EndReason,
    duration_seconds: t.number,
    credits_charged: CreditsText,
    at: Timestamp,
  }),
  MediumErased: Erasure,
} as const;

export type RealtimeSessionEvent = EventOf<typeof realtimeSessionEvents>;

/** Creates it at a price, which the event holds as text. */
export type CreateSession = { readonly type: 'CreateSession'; readonly price_per_minute: Credits } & Omit<
  t.TypeOf<typeof Created>,
  'price_per_minute'
>;
export interface IssueToken {
  readonly type: 'IssueToken';
  readonly token_hash: string;
  readonly token_expires_at: Timestamp;
  readonly at: Timestamp;
}
interface NoteNegotiation {
  readonly type: 'NoteNegotiation';
  readonly at: Timestamp;
}
interface NoteMedia {
  readonly type: 'NoteMedia';
  readonly state: MediaState;
  readonly at: Timestamp;
}
/** Books the whole seconds since the first media that were not booked before. */
interface MeterSession {
  readonly type: 'MeterSession';
  readonly at: Timestamp;
}
export interface EndSession {
  readonly type: 'EndSession';
  readonly reason: EndReason;
  /** Until when it is known to have been in use: seconds up to then are booked. Null: nothing since the last metering. */
  readonly used_until: Timestamp | null;
  readonly at: Timestamp;
}
/** For good: what the client noted down with it can be read no more. */
interface EraseSession {
  readonly type: 'EraseSession';
  readonly at: Timestamp;
}
export type RealtimeSessionCommand =
  | CreateSession
  | IssueToken
  | NoteNegotiation
  | NoteMedia
  | MeterSession
  | EndSession
  | EraseSession;

export type RealtimeSessionRefusal =
  | { readonly _tag: 'SessionExists' }
  /** There never was one, or it has ended. */
  | { readonly _tag: 'SessionNotFound' }
  /** It has to be ended first. */
  | { readonly _tag: 'SessionRunning' }
  | MediumErased
  /** So many tokens of it are valid already. */
  | { readonly _tag: 'TooManyTokens'; readonly most: number };

export type SessionNotFound = Extract<RealtimeSessionRefusal, { readonly _tag: 'SessionNotFound' }>;

export const isRealtimeSessionRefusal = refusalIn<RealtimeSessionRefusal>();
