import * as E from 'fp-ts/lib/Either.js';
import { constVoid } from 'fp-ts/lib/function.js';
import type { Checkpoints, EventStore } from '../../application/ports/event-store.js';
import type { Log } from '../../application/ports/log.js';
import type { Config } from '../config/config.js';
import { logFileIn } from './data-checks.js';
import type { Address } from '../event-store/eventstoredb/address.js';
import { createFolder } from '../runtime/private-files.js';
import { readableEvents, withField } from '../event-store/new-events.js';
import { type SealedStore, sealedLog } from '../event-store/sealed/sealed-store.js';
import { type SqliteEventStore, openSqliteEventStore } from '../event-store/sqlite/open.js';
import { openKeyVault } from './vault-service.js';
import { readFile } from 'node:fs/promises';
import type { EventStoreServerConfig } from '../config/eventstore.js';
import { type EventRow, toStoredEvent } from '../event-store/sqlite/read.js';

const pairOf = async ({ cert_file, key_file }: { readonly cert_file: string; readonly key_file: string }) => ({
  cert: await readFile(cert_file, 'utf8'),
  key: await readFile(key_file, 'utf8'),
});

/** A row as clients read it: sealed data in clear text, erased events without data and marked in their metadata. */
const openRow =
  ({ openWithRetry }: SealedStore, isEnding: () => boolean) =>
  async (row: EventRow): Promise<EventRow> => {
    const [position, stream, revision, id, type, data, metadata] = row;
    if (!data.startsWith('{"sealed":')) return row;
    const [event] = (await openWithRetry([toStoredEvent(row)], isEnding)) ?? [];
    if (event === undefined) return row;
    const { data: content, withheld } = event;
    const [opened, facts] =
      withheld === undefined ? [JSON.stringify(content), metadata] : ['{}', withField(metadata, withheld, 'true')];
    return [position, stream, revision, id, type, opened, facts];
  };

/** Serves the embedded log to EventStoreDB clients. Rejects if a file cannot be read or the port is not available. */
const serveEmbeddedLog = async (
  log: SqliteEventStore['log'],
  sealed: SealedStore,
  config: EventStoreServerConfig,
  isEnding: () => boolean,
) => {
  const { startEventStoreDbServer } = await import('../eventstoredb-endpoint/start-server.js');
  const { host, port, credentials, tls } = config;
  return startEventStoreDbServer({
    log,
    open: openRow(sealed, isEnding),
    host,
    port,
    credentials,
    tls: tls === null ? null : await pairOf(tls),
  });
};

/** Warns of missing keys: once in the log, which names the first, and from then on in `warnings`. */
const missingKeys = ({ key_vault }: Config, log: Log) => {
  const place = key_vault.url === null ? 'keys.db and keys.secret to the data folder' : 'its keys to the key vault';
  const remedy = `restore ${place}, and restart the service`;
  let isMissing = false;
  return {
    onMissingKey: (subject: string): void => {
      if (!isMissing) log.warn('a key is missing', { subject, reason: `data is encrypted with it: ${remedy}` });
      isMissing = true;
    },
    warnings: (): ReadonlyArray<string> =>
      isMissing ? [`data in the event log cannot be read because keys are missing: ${remedy}`] : [],
  };
};

/** A log as it is stored: in a file, or on a server. */
interface StoredLog {
  readonly store: EventStore;
  /** The checkpoints of sweeps, shared by all instances. */
  readonly checkpoints: Checkpoints;
  /** Why the log cannot be used, and what to do; null if it can be used. */
  readonly problem: () => string | null;
  /** Warnings to the operator. */
  readonly warnings: () => ReadonlyArray<string>;
  /** Refuses everything from now on, for this reason: the log's file is damaged. */
  readonly refuse: (reason: string) => void;
  readonly close: () => Promise<void>;
  /** Offers the log to EventStoreDB clients, if that is turned on. */
  readonly serve: (sealed: SealedStore, isEnding: () => boolean) => ReturnType<typeof serveEmbeddedLog> | null;
  /** Rejects if it can be used only with another configuration. */
  readonly checked?: () => Promise<void>;
}

const inFile = ({ data_dir, eventstore_server }: Config, log: Log): StoredLog => {
  const opened = openSqliteEventStore({
    file: logFileIn(data_dir),
    onBackgroundFailure: ({ reason }) => log.warn('event store', { reason }),
  });
  let damage: string | null = null;
  return {
    ...opened,
    problem: () => damage,
    warnings: () => [],
    refuse: (reason) => {
      damage ??= reason;
      opened.refuse(reason);
    },
    serve: (sealed, isEnding) =>
      eventstore_server === null ? null : serveEmbeddedLog(opened.log, sealed, eventstore_server, isEnding),
  };
};

const ownKeys =
  'KEY_VAULT_URL is not set: the keys of personal data are in keys.db in the data folder of this instance, and no other instance can read what it writes; before a second one is started, set KEY_VAULT_URL on all of them';

const onServer = async (address: Address, { key_vault }: Config, log: Log): Promise<StoredLog> => {
  const { openEventStoreDb } = await import('../event-store/eventstoredb/open.js');
  const { warning, ...opened } = openEventStoreDb(address, log);
  const keyWarnings = key_vault.url === null ? [ownKeys] : [];
  keyWarnings.forEach((reason) => log.warn('only this instance has the encryption keys of its events', { reason }));
  return {
    ...opened,
    warnings: () => [...[warning()].filter((text) => text !== null), ...keyWarnings],
    refuse: constVoid,
    serve: () => null,
  };
};

/**
 * Opens the log of a service as configured: appended events are sealed, and hashed as they are stored. Rejects if its
 * file or a certificate file cannot be used, if it holds data in a form that is not read, or if the server can be used
 * only with another configuration. It does not wait for a server that cannot be reached: that is done later.
 */
export const openEventLog = async (config: Config, log: Log) => {
  createFolder(config.data_dir);
  const vault = openKeyVault(config);
  const opened =
    config.event_store === 'sqlite' ? inFile(config, log) : await onServer(config.event_store, config, log);
  const { store: stored, checkpoints, problem, refuse } = opened;
  let isEnding = false;
  try {
    await opened.checked?.();
    const missing = missingKeys(config, log);
    const sealed = sealedLog(stored, vault, missing.onMissingKey);
    const unreadable = await sealed.unreadable();
    if (E.isRight(unreadable) && unreadable.right !== null) throw new Error(unreadable.right);
    const server = await opened.serve(sealed, () => isEnding);
    return {
      store: readableEvents(sealed.store),
      vault,
      keys: sealed.keys,
      onErasure: sealed.onErasure,
      checkpoints,
      /** The port on which EventStoreDB clients can read the log; null if that is turned off. */
      servedOn: server?.port ?? null,
      problem,
      warnings: (): ReadonlyArray<string> => [...opened.warnings(), ...missing.warnings()],
      refuse,
      close: async (): Promise<void> => {
        isEnding = true;
        await server?.stop();
        await opened.close();
        vault.close();
      },
    };
  } catch (cause) {
    await opened.close();
    throw cause;
  }
};

export type EventLog = Awaited<ReturnType<typeof openEventLog>>;
