import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'libsql';
import { openSqliteEventStore, type SqliteEventStore } from '../../../adapters/event-store/sqlite/open.js';
import { marks, tables } from '../../../adapters/event-store/sqlite/file.js';
import { createRows } from '../../../adapters/eventstoredb-endpoint/rows.js';
import type { Address } from '../../../adapters/eventstoredb-endpoint/discovery.js';
import {
  type EventStoreDbServerOptions,
  startEventStoreDbServer,
} from '../../../adapters/eventstoredb-endpoint/start-server.js';
import { serverCalls } from '../eventstoredb/server-calls.js';
import { type SystemEvents, systemEvents } from './system-events.js';
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

export type ServerSettings = Partial<Omit<EventStoreDbServerOptions, 'log' | 'calls'>> & {
  /** The log's file; without one, a new file that is removed when the server stops. */
  readonly file?: string;
  /** The EventStoreDB version to imitate, including system events between other events; null: no imitation. */
  readonly version?: Version | null;
  /** System events that the server writes per minute. */
  readonly systemEventsPerMinute?: number;
  /** The address of the leader when this server plays a follower; null when it leads. */
  readonly leader?: () => Address | null;
};

export interface TestServer {
  readonly port: number;
  readonly file: string;
  /** For the real client: `esdb://…`. */
  readonly url: string;
  /** The log behind it, to write to it without the protocol. */
  readonly events: SqliteEventStore;
  readonly system: SystemEvents;
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

/** System events at the beginning of an empty log. */
const firstSystemEvents = 8;
/** Writes of others between two system events. */
const writesBetween = 3;

const startOn = async (
  file: string,
  settings: ServerSettings,
  removeData: () => Promise<void>,
): Promise<TestServer> => {
  const { version = null, systemEventsPerMinute = 0, leader = () => null } = settings;
  const behaviour = version === null ? endpointBehaviour : versions[version];
  if (version !== null && !existsSync(file)) createWithRepeatableIds(file);
  const events = openSqliteEventStore({ file });
  const system = systemEvents(events.log, behaviour);
  if (version !== null && createRows(events.log.db).last(null) === 0) await system.write(firstSystemEvents);
  const generator = system.keepWriting(systemEventsPerMinute);
  const log = version === null ? events.log : system.between(writesBetween);
  const server = await startEventStoreDbServer({
    host: 'localhost',
    port: 0,
    tls: null,
    credentials: null,
    ...settings,
    log,
    calls: serverCalls(log, behaviour, leader),
  });
  const end = async (): Promise<void> => {
    generator.stop();
    await server.stop();
    await events.close();
  };
  return {
    port: server.port,
    file,
    url: urlOf(server.port, settings),
    events,
    system,
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
