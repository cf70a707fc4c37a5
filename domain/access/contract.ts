import * as t from 'io-ts';
import { type EventOf, nullable } from '../kernel/event-codecs.js';
import { AccountId, KeyId } from '../kernel/ids.js';
import { Timestamp } from '../kernel/timestamp.js';

/** What a key may do beside what its account owns. */
export const Permission = t.keyof({ MEDIA_WRITE: null, WORKER: null }, 'Permission');
export type Permission = t.TypeOf<typeof Permission>;

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
    at: Timestamp,
  }),
  ApiKeyRevoked: t.type({ key_id: KeyId, at: Timestamp }),
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
  readonly at: Timestamp;
}
export interface RevokeApiKey {
  readonly type: 'RevokeApiKey';
  readonly key_id: KeyId;
  readonly at: Timestamp;
}
export type AccessCommand = OpenAccount | IssueApiKey | RevokeApiKey;

export type AccessRefusal =
  | { readonly _tag: 'AccountExists'; readonly account_id: AccountId }
  | { readonly _tag: 'UnknownAccount' }
  | { readonly _tag: 'UnknownKey' };
