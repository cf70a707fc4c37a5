import { join } from 'node:path';
import type { Application } from '../application/application.js';
import type { EventStore } from '../application/ports/event-store.js';
import type { Log } from '../application/ports/log.js';
import { type Process, type RunningProcess, runProcess } from '../application/processes/run-process.js';
import { shareProcess } from '../application/processes/share-process.js';
import type { Config } from './config.js';
import { hashChain } from './event-store/hash-chain/hash-chain.js';
import { openSqliteEventStore } from './event-store/sqlite/open.js';
import { serveEmbeddedLog } from './served-log.js';

/** The engine of the log, as the service is composed of it. What is appended is chained by hashes. */
export interface EventLog {
  readonly store: EventStore;
  /** Runs a process: alone from its checkpoint, or together with the other instances on the same log. */
  readonly run: (app: Application, process: Process) => RunningProcess;
  /** The port on which clients of EventStoreDB can read it; null when it is not offered to them. */
  readonly servedOn: number | null;
  readonly close: () => Promise<void>;
}

const closing =
  (close: () => Promise<void>) =>
  async (cause: unknown): Promise<never> => {
    await close();
    throw cause;
  };

const inFile = async ({ data_dir, eventstore_server }: Config, log: Log): Promise<EventLog> => {
  const {
    store,
    checkpoints,
    log: file,
    close,
  } = openSqliteEventStore({
    file: join(data_dir, 'events.db'),
    onTrouble: ({ reason }) => log.warn('event store', { reason }),
  });
  const server =
    eventstore_server === null ? null : await serveEmbeddedLog(file, eventstore_server).catch(closing(close));
  return {
    store: hashChain(store, { guards: true }),
    run: (app, process) => runProcess(app, checkpoints, process),
    servedOn: server?.port ?? null,
    close: async () => {
      await server?.stop();
      await close();
    },
  };
};

/** Opens the log as configured. Rejects when its file, or a certificate's, cannot be used. */
export const openEventLog = async (config: Config, log: Log): Promise<EventLog> => {
  if (config.event_store === 'sqlite') return inFile(config, log);
  const { openEventStoreDb } = await import('./event-store/eventstoredb/open.js');
  const { store, work, close } = openEventStoreDb(config.event_store, log);
  const run: EventLog['run'] = (app, process) => shareProcess(app, work, process);
  return { store: hashChain(store, { guards: false }), run, servedOn: null, close };
};
