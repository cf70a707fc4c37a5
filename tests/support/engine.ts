import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openKeyVault } from '../../adapters/composition/vault-service.js';
import { sealedLog } from '../../adapters/event-store/sealed/sealed-store.js';
import { defaults } from '../../adapters/config/config.js';
import { openEventStoreDb } from '../../adapters/event-store/eventstoredb/open.js';
import { openSqliteEventStore } from '../../adapters/event-store/sqlite/open.js';
import type { EventStore } from '../../application/ports/event-store.js';
import { addressOf } from './event-store/eventstoredb-server.js';
import {
  type ServerProcess,
  isServerOurs,
  startServerProcess,
  testVersion,
} from './event-store/eventstoredb-process.js';
import { silentLog } from './event-store/stores.js';
import { endpointBehaviour, versions } from './event-store/versions.js';

/** The engine of the services in tests: `sqlite`, or `esdb` for EventStoreDB over the protocol server. */
export const testEngine: 'sqlite' | 'esdb' = process.env['TEST_EVENT_STORE'] === 'esdb' ? 'esdb' : 'sqlite';

/** Whether the store of the tests accepts events of more than 1 MiB. Unknown for a server that a command starts. */
export const takesLargeEvents =
  testEngine === 'sqlite' ||
  (isServerOurs && (testVersion === null ? endpointBehaviour : versions[testVersion]).limits.event > 2 ** 20);

const servers = new Map<string, Promise<ServerProcess>>();

const ended: Array<() => void> = [];
process.once('exit', () => ended.forEach((end) => end()));

const started = async (data_dir: string): Promise<ServerProcess> => {
  const server = await startServerProcess({ file: join(data_dir, 'events.db') });
  ended.push(() => void server.kill());
  return server;
};

/**
 * The value of `EVENT_STORE` for services on a data folder. For EventStoreDB there is one server for each folder, in a
 * separate process, which outlives the services; its log is the file that the embedded engine would use.
 */
export const eventStoreOf = async (data_dir: string): Promise<string> => {
  if (testEngine === 'sqlite') return 'sqlite';
  const server = servers.get(data_dir) ?? started(data_dir);
  servers.set(data_dir, server);
  return (await server).url;
};

/** Our process that writes the log of a folder instead of the service; null if there is none. */
export const logProcessOf = async (data_dir: string): Promise<Pick<ServerProcess, 'pid'> | null> =>
  isServerOurs ? ((await servers.get(data_dir)) ?? null) : null;

/** Ends the server of a folder and removes the folder. */
export const removeData = async (data_dir: string): Promise<void> => {
  const server = servers.get(data_dir);
  servers.delete(data_dir);
  await (await server)?.kill();
  if (existsSync(data_dir)) rmSync(data_dir, { recursive: true, force: true });
};

interface OpenedLog {
  readonly store: EventStore;
  readonly close: () => Promise<void>;
}

const openStored = async (data_dir: string): Promise<OpenedLog> => {
  const eventStore = await eventStoreOf(data_dir);
  return eventStore === 'sqlite'
    ? openSqliteEventStore({ file: join(data_dir, 'events.db') })
    : openEventStoreDb(addressOf(eventStore), silentLog);
};

/**
 * The log of a data folder, opened with the folder's keys while services may use it. Appended events are sealed and
 * hashed as in a service.
 */
export const openLogOf = async (data_dir: string): Promise<OpenedLog> => {
  const { store, close } = await openStored(data_dir);
  const vault = openKeyVault({ data_dir, key_vault: defaults.key_vault });
  return {
    store: sealedLog(store, vault).store,
    close: async () => {
      await close();
      vault.close();
    },
  };
};
