import { type AccessEvent, accessEvents } from '../domain/access/contract.js';
import { isEventOf } from '../domain/kernel/event-codecs.js';
import type { Projection } from './projection.js';
import type { Rows } from './tables.js';

const isAccessEvent = isEventOf(accessEvents);

const project = (rows: Rows, event: AccessEvent): void => {
  switch (event.type) {
    case 'AccountOpened': {
      const { account_id, name, at } = event.data;
      return rows.accounts.put({ account_id, name, created_at: at });
    }
    case 'ApiKeyIssued': {
      const { key_id, account_id, key_hash, label, admin, permissions, at } = event.data;
      const key = { key_id, account_id, key_hash, label, admin, permissions };
      return rows.apiKeys.put({ ...key, created_at: at, revoked_at: null });
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
  version: 1,
  categories: ['account'],
  tables: ['accounts', 'apiKeys'],
  project: (rows, { event }) => {
    if (isAccessEvent(event)) project(rows, event);
  },
};
