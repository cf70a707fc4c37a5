import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { sealLog } from '../../application/audit/verify-log.js';
import type { EventStore } from '../../application/ports/event-store.js';
import type { KeyVault } from '../../application/ports/key-vault.js';
import type { Log } from '../../application/ports/log.js';
import type { AuditSource, SourceOptions } from '../cli/audit/source.js';
import type { Surroundings } from '../cli/surroundings.js';
import type { Config } from '../config/config.js';
import type { Address } from '../event-store/eventstoredb/address.js';
import type { EventStoreDb } from '../event-store/eventstoredb/open.js';
import { sealedLog } from '../event-store/sealed/sealed-store.js';
import { inspectFile, openReadOnly } from '../event-store/sqlite/file.js';
import { eventStoreOver, openSqliteEventStore } from '../event-store/sqlite/open.js';
import { pinoLog } from '../log/pino-log.js';
import { systemClock } from '../runtime/clock.js';
import { systemIds } from '../runtime/ids.js';
import { configured } from './command-configuration.js';
import { checkFile, logFileIn } from './data-checks.js';
import { openKeyVaultToRead } from './vault-service.js';

/** A log on a server, for a command. Rejects if it cannot be reached, or only with another connection string. */
export const openServerLog = async (
  address: Address,
  log: Log,
  options?: { readonly keepsHashes: boolean },
): Promise<EventStoreDb> => {
  const { openEventStoreDb } = await import('../event-store/eventstoredb/open.js');
  const opened = openEventStoreDb(address, log, options);
  try {
    await opened.checked();
    const head = await opened.store.head()();
    if (E.isLeft(head)) throw new Error(opened.problem() ?? head.left.reason);
    return opened;
  } catch (reason) {
    await opened.close();
    throw reason;
  }
};

/**
 * Rejects if the server is the protocol endpoint of this service: it decrypts what it sends, while the hashes cover what
 * is stored.
 */
export const refuseDecrypted = async ({ decrypts }: EventStoreDb): Promise<void> => {
  if (await decrypts())
    throw new Error(
      'this is the protocol endpoint of the service, which sends personal data in clear text: use the file of the log, events.db in its DATA_DIR, or a backup of it',
    );
};

const sealing =
  (store: EventStore): AuditSource['seal'] =>
  (onProgress) =>
    sealLog({ store, ids: systemIds, clock: systemClock }, onProgress);

/** What every source has: the log opened with its keys, and closed with them. */
const openedWith = (stored: EventStore, vault: KeyVault, close: () => Promise<void>) => ({
  store: sealedLog(stored, vault).store,
  stored,
  close: async () => {
    await close();
    vault.close();
  },
});

const fromFile = async (file: string, key_vault: Config['key_vault']): Promise<AuditSource> => {
  const damage = await checkFile('open-log', file).damage;
  if (damage !== null) {
    const hint = existsSync(file) ? '' : '; set DATA_DIR, or give --file';
    throw new Error(`${damage.includes(file) ? damage : `Cannot read the event log ${file}: ${damage}`}${hint}`);
  }
  const vault = openKeyVaultToRead(dirname(file), key_vault);
  const { store, close } = eventStoreOver(openReadOnly(file));
  return {
    ...openedWith(store, vault, close),
    name: file,
    inspect: async (onProgress) => inspectFile(file, onProgress),
    seal: async (onProgress) => {
      const writable = openSqliteEventStore({ file });
      try {
        return await sealing(writable.store)(onProgress);
      } finally {
        await writable.close();
      }
    },
  };
};

const fromServer = async ({ data_dir, key_vault }: Config, address: Address): Promise<AuditSource> => {
  const server = await openServerLog(address, pinoLog('error'));
  return {
    ...openedWith(server.store, openKeyVaultToRead(data_dir, key_vault), server.close),
    name: 'EventStoreDB',
    inspect: async () => {
      await refuseDecrypted(server);
      return [];
    },
    seal: async (onProgress) => {
      await refuseDecrypted(server);
      return sealing(server.store)(onProgress);
    },
  };
};

/** Opens the log named by the options, or else the configured one. Rejects if it cannot be read. */
export const openAuditLog = async (
  env: Surroundings['env'],
  { file, eventStore }: SourceOptions,
): Promise<AuditSource> => {
  if (file !== undefined) return fromFile(file, configured(env).key_vault);
  const config = configured(eventStore === undefined ? env : { ...env, EVENT_STORE: eventStore });
  return config.event_store === 'sqlite'
    ? fromFile(logFileIn(config.data_dir), config.key_vault)
    : fromServer(config, config.event_store);
};
