import * as t from 'io-ts';
import { type EventOf, nullable } from '../kernel/event-codecs.js';
import { refusalIn } from '../kernel/decider.js';
import { AccountId, KeyId } from '../kernel/ids.js';
import { Timestamp } from '../kernel/timestamp.js';

/** What a key may do beside what its account owns. */
export const Permission = t.keyof({ MEDIA_WRITE: null, WORKER: null }, 'Permission');
export type Permission = t.TypeOf<typeof Permission>;

/** How many days media may lie untouched before they are erased. */
export const RetentionDays = t.refinement(
  t.number,
  (days) => Number.isInteger(days) && days >= 1 && days <= 36_500,
  'RetentionDays',
);

/** How many live keys that other keys made an account may have. */
export const mostMadeKeys = 100;
/** How many of those that are revoked or expired are remembered. */
export const mostDeadKeys = 200;

/** The administrator key of the environment is in no stream; its id tells which one it is, when it changes. */
export const isEnvironmentKey = (key_id: KeyId): boolean => key_id.startsWith('environment:');

export const accessEvents = {
  AccountOpened: t.type({ account_id: AccountId, name: nullable(t.string), at: Timestamp }),
  /** The key itself is never stored: `key_hash` is its SHA-256 in hexadecimal. */
  ApiKeyIssued: t.type({
    key_id: KeyId,
    account_id: AccountId,
    key_hash: t.string,
    label: nullable(t.string),
    admin: t.boolean,
    permissions: t.readonlyArray(Permission),
    /** From then on it is refused; null: never. */
    expires_at: nullable(Timestamp),
    /** The key of the same account that made it for itself; null: an administrator issued it. */
    made_by: nullable(KeyId),
    at: Timestamp,
  }),
  ApiKeyRevoked: t.type({ key_id: KeyId, at: Timestamp }),
  /** Media of the account are erased when they had no event for so many days; null: never. */
  RetentionSet: t.type({ account_id: AccountId, days: nullable(RetentionDays), at: Timestamp }),
} as const;

export type AccessEvent = EventOf<typeof accessEvents>;

export interface OpenAccount {
  readonly type: 'OpenAccount';
  readonly account_id: AccountId;
  readonly name: string | null;
  readonly at: Timestamp;
}
export interface IssueApiKey {
  readonly type: 'IssueApiKey';
  readonly key_id: KeyId;
  readonly key_hash: string;
  readonly label: string | null;
  readonly admin: boolean;
  readonly permissions: ReadonlyArray<Permission>;
  readonly expires_at: Timestamp | null;
  readonly made_by: KeyId | null;
  readonly at: Timestamp;
}
/** Ends a key, and with it every key that it made, directly or not. */
export interface RevokeApiKey {
  readonly type: 'RevokeApiKey';
  readonly key_id: KeyId;
  /** Only a key that another key made is found. */
  readonly made_alone: boolean;
  readonly at: Timestamp;
}
/** Ends the keys that an administrator key of the environment made which is no longer the current one. */
export interface RetireEnvironmentKeys {
  readonly type: 'RetireEnvironmentKeys';
  /** Null: the environment sets none. */
  readonly current: KeyId | null;
  readonly at: Timestamp;
}
export interface SetRetention {
  readonly type: 'SetRetention';
  /** Null: for ever. */
  readonly days: number | null;
  readonly at: Timestamp;
}
export type AccessCommand = OpenAccount | IssueApiKey | RevokeApiKey | RetireEnvironmentKeys | SetRetention;

export type AccessRefusal =
  | { readonly _tag: 'AccountExists'; readonly account_id: AccountId }
  | { readonly _tag: 'UnknownAccount' }
  | { readonly _tag: 'UnknownKey' }
  /** The key that was to make another is revoked or gone. */
  | { readonly _tag: 'MakerRevoked' }
  /** So many keys that keys made are live already. */
  | { readonly _tag: 'TooManyKeys'; readonly most: number };

export const isAccessRefusal = refusalIn<AccessRefusal>();
