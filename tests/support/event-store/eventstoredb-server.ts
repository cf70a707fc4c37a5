import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'libsql';
import { openSqliteEventStore, type SqliteEventStore } from '../../../adapters/event-store/sqlite/open.js';
import { marks, tables } from '../../../adapters/event-store/sqlite/file.js';
import {
  type EventStoreDbServerOptions,
  startEventStoreDbServer,
} from '../../../adapters/eventstoredb-endpoint/start-server.js';
import { noFaults } from '../eventstoredb/imitation.js';
import { type Circumstances, serverCalls } from '../eventstoredb/server-calls.js';
import { temporaryFolder } from './temporary-sqlite.js';
import { type Version, endpointBehaviour, versions } from './versions.js';

const tlsFile = (name: string): string =>
  fileURLToPath(new URL(`../../../../tests/fixtures/tls/${name}`, import.meta.url));

/** The certificate that clients must trust. */
export const caFile = tlsFile('cert.pem');

export const credentials = { username: 'admin', password: 'changeit' };

/** PEM texts of a certificate for `localhost`, valid or expired. */
export const tlsPair = (which: 'valid' | 'expired') => ({
  cert: readFileSync(which === 'valid' ? caFile : tlsFile('expired-cert.pem'), 'utf8'),
  key: readFileSync(tlsFile('key.pem'), 'utf8'),
});

export type ServerSettings = Partial<Omit<EventStoreDbServerOptions, 'log' | 'calls'>> &
  Partial<Pick<Circumstances, 'leader'>> & {
    /** The log's file; without one, a new file that is removed when the server stops. */
    readonly file?: string;
    /** The EventStoreDB version to imitate, including system events between other events; null: no imitation. */
    readonly version?: Version | null;
    /** Whether it answers only what the protocol endpoint answers. */
    readonly onlyReads?: boolean;
  };

export interface TestServer extends Pick<Circumstances, 'faults' | 'subscriptions'> {
  readonly port: number;
  /** For the real client: `esdb://…`. */
  readonly url: string;
  /** The log behind it, to write to it without the protocol. */
  readonly events: SqliteEventStore;
  /** Ends it, keeps its file, and starts it again on the same port. */
  readonly restart: () => Promise<TestServer>;
  readonly stop: () => Promise<void>;
}

/** The connection string for a server with these settings. */
export const urlOf = (port: number, { tls = null, credentials: known = null }: ServerSettings): string => {
  const user = known === null ? '' : `${known.username}:${known.password}@`;
  const query = tls === null ? 'tls=false' : `tls=true&tlsCAFile=${caFile}`;
  return `esdb://${user}localhost:${port}?${query}`;
};

/** An empty log in which ids may come twice, as they may in EventStoreDB. */
const createWithRepeatableIds = (file: string): void => {
  const db = new Database(file);
  const statements = tables.map((statement) =>
    statement.replace('event_id TEXT NOT NULL UNIQUE', 'event_id TEXT NOT NULL'),
  );
  db.exec([...statements, 'CREATE INDEX events_by_id ON events (event_id)', ...marks].join(';\n'));
  db.close();
};

const startOn = async (
  file: string,
  settings: ServerSettings,
  removeData: () => Promise<void>,
): Promise<TestServer> => {
  const { version = null, leader = () => null, onlyReads = false } = settings;
  if (version !== null && !existsSync(file)) createWithRepeatableIds(file);
  const events = openSqliteEventStore({ file });
  const behaviour = version === null ? endpointBehaviour : versions[version];
  const circumstances: Circumstances = { leader, faults: noFaults(), subscriptions: [] };
  const server = await startEventStoreDbServer({
    host: 'localhost',
    port: 0,
    tls: null,
    credentials: null,
    ...settings,
    log: events.log,
    ...(onlyReads ? {} : { calls: serverCalls(events.log, behaviour, circumstances) }),
  });
  const end = async (): Promise<void> => {
    await server.stop();
    await events.close();
  };
  return {
    ...circumstances,
    port: server.port,
    url: urlOf(server.port, settings),
    events,
    restart: async () => {
      await end();
      return startOn(file, { ...settings, port: server.port }, removeData);
    },
    stop: async () => {
      await end();
      await removeData();
    },
  };
};

/** The protocol endpoint over a log of its own, with the calls of a whole EventStoreDB, in this process. */
export const startTestServer = async (settings: ServerSettings = {}): Promise<TestServer> => {
  if (settings.file !== undefined) return startOn(settings.file, settings, () => Promise.resolve());
  const folder = await temporaryFolder();
  return startOn(join(folder.path, 'events.db'), settings, folder.remove);
};
