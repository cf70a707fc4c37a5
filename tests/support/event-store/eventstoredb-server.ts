import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openSqliteEventStore, type SqliteEventStore } from '../../../adapters/event-store/sqlite/open.js';
import {
  type EventStoreDbServerOptions,
  startEventStoreDbServer,
} from '../../../adapters/event-store/eventstoredb-server/start-server.js';
import { temporaryFolder } from './temporary-sqlite.js';

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

export type ServerSettings = Partial<Omit<EventStoreDbServerOptions, 'log'>> & {
  /** The log's file; without one, a new file that goes with the server. */
  readonly file?: string;
};

export interface TestServer {
  readonly port: number;
  readonly file: string;
  /** For the real client: `esdb://…`. */
  readonly url: string;
  /** The log behind it, to write to it without the protocol. */
  readonly events: SqliteEventStore;
  /** Ends it, keeps its file, and starts it again on the same port. */
  readonly restart: () => Promise<TestServer>;
  readonly stop: () => Promise<void>;
}

/** How the real client reaches a server with such settings. */
export const urlOf = (port: number, { tls = null, credentials: known = null }: ServerSettings): string => {
  const user = known === null ? '' : `${known.username}:${known.password}@`;
  const query = tls === null ? 'tls=false' : `tls=true&tlsCAFile=${caFile}`;
  return `esdb://${user}localhost:${port}?${query}`;
};

const startOn = async (file: string, settings: ServerSettings, removed: () => Promise<void>): Promise<TestServer> => {
  const events = openSqliteEventStore({ file });
  const server = await startEventStoreDbServer({
    host: 'localhost',
    port: 0,
    tls: null,
    credentials: null,
    refuseAppend: () => null,
    mayChangeGroups: true,
    leader: () => null,
    ...settings,
    log: events.log,
  });
  const end = async (): Promise<void> => {
    await server.stop();
    await events.close();
  };
  return {
    port: server.port,
    file,
    url: urlOf(server.port, settings),
    events,
    restart: async () => {
      await end();
      return startOn(file, { ...settings, port: server.port }, removed);
    },
    stop: async () => {
      await end();
      await removed();
    },
  };
};

/** The protocol server over a log of its own, writable, in this process. */
export const startTestServer = async (settings: ServerSettings = {}): Promise<TestServer> => {
  if (settings.file !== undefined) return startOn(settings.file, settings, () => Promise.resolve());
  const folder = await temporaryFolder();
  return startOn(join(folder.path, 'events.db'), settings, folder.remove);
};
