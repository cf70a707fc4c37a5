import * as t from 'io-ts';
import { type DataIn, type EventOf, nullable } from '../kernel/recorded-event.js';
import type { CommandOf } from '../kernel/decider.js';
import { AccountId, KeyId } from '../kernel/ids.js';
import { Timestamp } from '../kernel/timestamp.js';

/** What a key may do in addition to managing its own account's media. */
export const Permission = t.keyof({ MEDIA_WRITE: null, WORKER: null }, 'Permission');
export type Permission = t.TypeOf<typeof Permission>;

/** Days without an event after which media are erased. */
export const RetentionDays = t.refinement(
  t.number,
  (days) => Number.isInteger(days) && days >= 1 && days <= 36_500,
  'RetentionDays',
);

/** How many self-issued keys of an account may be active at the same time. */
export const maxSelfIssuedKeys = 100;
/** How many revoked or expired self-issued keys are remembered. */
export const maxInactiveKeys = 200;

/**
 * The administrator key set by an environment variable is not in the event log. Its id identifies its current value, so
 * a changed key has another id.
 */
export const isEnvironmentKey = (key_id: KeyId): boolean => key_id.startsWith('environment:');

export const accessEvents = {
  AccountOpened: t.type({ account_id: AccountId, name: nullable(t.string), at: Timestamp }),
  AccountRenamed: t.type({ account_id: AccountId, name: nullable(t.string), at: Timestamp }),
  /** The key itself is never stored: `key_hash` is its SHA-256 in hexadecimal. */
  ApiKeyIssued: t.type({
    key_id: KeyId,
    account_id: AccountId,
    key_hash: t.string,
    label: nullable(t.string),
    admin: t.boolean,
    permissions: t.readonlyArray(Permission),
    /** When the key expires; null: never. */
    expires_at: nullable(Timestamp),
    /** The key that issued this key for its own account; null: an administrator issued it. */
    made_by: nullable(KeyId),
    at: Timestamp,
  }),
  ApiKeyRevoked: t.type({ key_id: KeyId, at: Timestamp }),
  /** Media of the account without an event for this many days are erased; null: never. */
  RetentionSet: t.type({ account_id: AccountId, days: nullable(RetentionDays), at: Timestamp }),
} as const;

export type AccessEvent = EventOf<typeof accessEvents>;

type Recorded<Type extends AccessEvent['type']> = DataIn<AccessEvent, Type>;

export type OpenAccount = CommandOf<'OpenAccount', Recorded<'AccountOpened'>>;
/** A name that is null clears it; undefined leaves it as it is. */
export type RenameAccount = CommandOf<'RenameAccount', { name: string | null | undefined; at: Timestamp }>;
export type IssueApiKey = CommandOf<
  'IssueApiKey',
  /** `replace`: revokes the account's active keys with the same label and the same `made_by` first. */
  Omit<Recorded<'ApiKeyIssued'>, 'account_id'> & { readonly replace: boolean }
>;
/**
 * Revokes a key and every key issued by it, directly or indirectly. `made_alone`: fails with UnknownKey unless another key
 * issued this one.
 */
export type RevokeApiKey = CommandOf<'RevokeApiKey', { key_id: KeyId; made_alone: boolean; at: Timestamp }>;
/** Revokes the keys issued by earlier administrator keys of the environment. `current` is null if none is set. */
export type RetireEnvironmentKeys = CommandOf<'RetireEnvironmentKeys', { current: KeyId | null; at: Timestamp }>;
/** Without days, media are kept for ever. */
export type SetRetention = CommandOf<'SetRetention', { days: number | null; at: Timestamp }>;
export type AccessCommand =
  | OpenAccount
  | RenameAccount
  | IssueApiKey
  | RevokeApiKey
  | RetireEnvironmentKeys
  | SetRetention;

export type AccessRefusal =
  | { readonly _tag: 'AccountExists'; readonly account_id: AccountId }
  | { readonly _tag: 'UnknownAccount' }
  | { readonly _tag: 'UnknownKey' }
  /** The issuing key is revoked, expired or unknown. */
  | { readonly _tag: 'IssuerRevoked' }
  /** The account has the maximum number of active self-issued keys. */
  | { readonly _tag: 'TooManyKeys'; readonly most: number };

/** The refusals that each command can get. */
export const accessRefusals = {
  OpenAccount: ['AccountExists'],
  RenameAccount: ['UnknownAccount'],
  IssueApiKey: ['UnknownAccount', 'IssuerRevoked', 'TooManyKeys'],
  RevokeApiKey: ['UnknownAccount', 'UnknownKey'],
  RetireEnvironmentKeys: ['UnknownAccount'],
  SetRetention: ['UnknownAccount'],
} as const satisfies Readonly<Record<AccessCommand['type'], ReadonlyArray<AccessRefusal['_tag']>>>;
