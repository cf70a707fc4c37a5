import type * as t from 'io-ts';
import { AccountId, KeyId, type SessionId } from '../../domain/kernel/ids.js';
import type { Position } from '../../domain/kernel/recorded-event.js';
import type { Timestamp } from '../../domain/kernel/timestamp.js';
import type { Caller, RequestContext } from './context.js';

const known = <Id extends string>(codec: t.Type<Id, string>, text: string): Id => {
  if (codec.is(text)) return text;
  throw new TypeError(`"${text}" is no ${codec.name}`);
};

/** The account under which the service itself acts and the first admin key lives. */
export const serviceAccount = known(AccountId, 'admin');

/** A part of the service as a caller: what it writes names it as the actor. */
export const serviceCaller = (part: string): Caller => {
  const key_id = known(KeyId, part);
  return {
    key_id,
    account_id: serviceAccount,
    admin: true,
    permissions: new Set(),
    expires_at: null,
    maker_id: key_id,
  };
};

/** Who holds a session's token: acts for the account that created it, and is named as the session. */
export const sessionCaller = (session_id: SessionId, account_id: AccountId): Caller => ({
  ...serviceCaller(`session:${session_id}`),
  account_id,
  admin: false,
});

const fingerprint_length = 16;

/** The id under which the environment's administrator key makes others, by its digest. */
export const environmentKeyId = (digest: string): KeyId =>
  known(KeyId, `environment:${digest.slice(0, fingerprint_length)}`);

const ignore = (_position: Position): void => undefined;

/** A request that the service makes to itself. */
export const serviceRequest = (part: string, request_id: string, at: Timestamp): RequestContext => ({
  caller: serviceCaller(part),
  request_id,
  at,
  if_match: null,
  wrote: ignore,
  mustSee: ignore,
});
