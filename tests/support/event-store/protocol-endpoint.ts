import { join } from 'node:path';
import type { EventStoreDBClient } from '@eventstore/db-client';
import { openSqliteEventStore } from '../../../adapters/event-store/sqlite/open.js';
import {
  type EventStoreDbServerOptions,
  startEventStoreDbServer,
} from '../../../adapters/eventstoredb-endpoint/start-server.js';
import type { EventStore, NewEvent } from '../../../application/ports/event-store.js';
import { connect } from './esdb-client.js';
import { newEvents } from './events.js';
import { urlOf } from './eventstoredb-server.js';
import { succeeded } from './outcomes.js';
import { temporaryFolder } from './temporary-sqlite.js';

/** The protocol endpoint as the service starts it, over a log of its own. */
export interface ProtocolEndpoint {
  readonly port: number;
  readonly store: EventStore;
  /** A client with the right credentials. */
  readonly client: EventStoreDBClient;
  /** Appends events, or as many as given, to the end of a stream. */
  readonly append: (
    stream: string,
    events: number | ReadonlyArray<NewEvent>,
    parts?: Partial<NewEvent>,
  ) => Promise<void>;
  readonly stop: () => Promise<void>;
}

export const startEndpoint = async (
  settings: Partial<Omit<EventStoreDbServerOptions, 'log'>> = {},
): Promise<ProtocolEndpoint> => {
  const { path, remove } = await temporaryFolder();
  const { store, log, close } = openSqliteEventStore({ file: join(path, 'events.db') });
  const server = await startEventStoreDbServer({
    host: 'localhost',
    port: 0,
    tls: null,
    credentials: null,
    ...settings,
    log,
  });
  const client = connect(urlOf(server.port, settings));
  const lasts = new Map<string, number>();
  return {
    port: server.port,
    store,
    client,
    append: async (stream, given, parts) => {
      const events = typeof given === 'number' ? newEvents(given, parts) : given;
      const last = lasts.get(stream) ?? -1;
      lasts.set(stream, last + events.length);
      await succeeded(store.append(stream, last < 0 ? 'no_stream' : last, events));
    },
    stop: async () => {
      await client.dispose();
      await server.stop();
      await close();
      await remove();
    },
  };
};
