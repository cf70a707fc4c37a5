import { type AccessEvent, accessEvents, maxInactiveKeys } from '../domain/access/contract.js';
import { isEventOf } from '../domain/kernel/recorded-event.js';
import type { AccountId } from '../domain/kernel/ids.js';
import type { Timestamp } from '../domain/kernel/timestamp.js';
import type { Projection, Rows } from './tables.js';

const isAccessEvent = isEventOf(accessEvents);

/** Forgets the oldest inactive self-issued keys of an account: they are refused like unknown ones. */
const forgetOldInactiveKeys = (rows: Rows, account_id: AccountId, at: Timestamp): void => {
  const dead = rows.apiKeys
    .where('account_id', account_id)
    .filter(
      ({ made_by, revoked_at, expires_at }) => made_by !== null && (revoked_at !== null || (expires_at ?? '~') <= at),
    )
    .toSorted((one, other) => (one.created_at < other.created_at ? -1 : 1));
  dead.slice(0, Math.max(0, dead.length - maxInactiveKeys)).forEach(({ key_id }) => rows.apiKeys.delete(key_id));
};

const project = (rows: Rows, event: AccessEvent): void => {
  switch (event.type) {
    // The retention setting is read from the account's aggregate.
    case 'RetentionSet':
      return;
    case 'AccountOpened': {
      const { account_id, name, at } = event.data;
      return rows.accounts.put({ account_id, name, created_at: at });
    }
    case 'AccountRenamed': {
      const account = rows.accounts.get(event.data.account_id);
      return account && rows.accounts.put({ ...account, name: event.data.name });
    }
    case 'ApiKeyIssued': {
      const { at, ...key } = event.data;
      rows.apiKeys.put({ ...key, created_at: at, revoked_at: null });
      return key.made_by === null ? undefined : forgetOldInactiveKeys(rows, key.account_id, at);
    }
    case 'ApiKeyRevoked': {
      const key = rows.apiKeys.get(event.data.key_id);
      return key && rows.apiKeys.put({ ...key, revoked_at: event.data.at });
    }
  }
};

/** Accounts and their API keys (specification, section 5). */
export const access: Projection = {
  name: 'access',
  version: 3,
  categories: ['account'],
  tables: ['accounts', 'apiKeys'],
  project: (rows, { event }) => {
    if (isAccessEvent(event)) project(rows, event);
  },
};
