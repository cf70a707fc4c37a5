import { join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import { sealLog } from '../application/audit/seal-log.js';
import type { EventStore } from '../application/ports/event-store.js';
import type { Fault } from '../projections/audit/fault.js';
import type { AuditSource, SourceOptions } from './cli/audit/source.js';
import { systemClock } from './clock.js';
import { type Config, readConfig } from './config.js';
import { openEventLog } from './event-log.js';
import { openReadOnly } from './event-store/sqlite/database.js';
import { inspectFile } from './event-store/sqlite/inspect-file.js';
import { eventStoreOver, openSqliteEventStore } from './event-store/sqlite/open.js';
import { hashChain } from './event-store/hash-chain/hash-chain.js';
import { systemIds } from './ids.js';
import { pinoLog } from './log/pino-log.js';

const nothing: ReadonlyArray<Fault> = [];

const sealing =
  (store: EventStore): AuditSource['seal'] =>
  (onProgress) =>
    sealLog({ store, ids: systemIds, clock: systemClock }, onProgress);

const fromFile = (file: string): AuditSource => {
  const { store, close } = eventStoreOver(openReadOnly(file));
  return {
    store,
    name: file,
    inspect: (onProgress) => inspectFile(file, onProgress),
    close,
    seal: async (onProgress) => {
      const writable = openSqliteEventStore({ file });
      try {
        return await sealing(hashChain(writable.store, { guards: true }))(onProgress);
      } finally {
        await writable.close();
      }
    },
  };
};

const fromServer = async (config: Config): Promise<AuditSource> => {
  const { store, close } = await openEventLog(config, pinoLog('error'));
  return { store, name: 'EventStoreDB', inspect: () => nothing, close, seal: sealing(store) };
};

/** Opens the log that the options name, or else the configured one; rejects when it cannot be read. */
export const openAuditSource = async ({ file, eventStore }: SourceOptions): Promise<AuditSource> => {
  if (file !== undefined) return fromFile(file);
  const config = readConfig(eventStore === undefined ? process.env : { ...process.env, EVENT_STORE: eventStore });
  if (E.isLeft(config)) throw new Error(config.left.join('\n'));
  const { event_store, data_dir } = config.right;
  return event_store === 'sqlite' ? fromFile(join(data_dir, 'events.db')) : fromServer(config.right);
};
