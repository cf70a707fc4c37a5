import * as t from 'io-ts';
import { type HttpClient, bodyOf } from './http-client.js';

export interface KeyRights {
  readonly admin?: boolean;
  readonly permissions?: ReadonlyArray<'MEDIA_WRITE' | 'WORKER'>;
}

const AccountExists = t.type({ detail: t.type({ code: t.literal('account_exists') }) });
const Issued = t.type({ key: t.string });

/** Opens an account unless it exists; any other refusal throws with the service's answer. */
export const openAccount = async (admin: Pick<HttpClient, 'post'>, account_id: string): Promise<void> => {
  const { status, text, body } = await admin.post('/v1/accounts', { account_id });
  if (status !== 200 && !AccountExists.is(body))
    throw new Error(`opening ${account_id} was answered ${status}: ${text}`);
};

/** A new key of an account, which is opened if necessary. */
export const newKey = async (
  admin: Pick<HttpClient, 'post'>,
  account_id: string,
  rights: KeyRights = {},
): Promise<string> => {
  await openAccount(admin, account_id);
  return bodyOf(Issued, await admin.post(`/v1/accounts/${account_id}/keys`, rights)).key;
};
