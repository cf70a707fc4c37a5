import type { EventStoreDBClient } from '@eventstore/db-client';
import type { NewEvent } from '../../../application/ports/event-store.js';
import { connect } from './esdb-client.js';
import { newEvents } from './events.js';
import { type ServerSettings, type TestServer, startTestServer } from './eventstoredb-server.js';
import { succeeded } from './outcomes.js';

/** The protocol endpoint as the service starts it, over a log of its own. */
export interface ProtocolEndpoint extends Pick<TestServer, 'port' | 'events' | 'stop'> {
  /** A client with the right credentials. */
  readonly client: EventStoreDBClient;
  /** Appends events, or as many as given, to the end of a stream. */
  readonly append: (
    stream: string,
    events: number | ReadonlyArray<NewEvent>,
    parts?: Partial<NewEvent>,
  ) => Promise<void>;
}

export const startEndpoint = async (settings: ServerSettings = {}): Promise<ProtocolEndpoint> => {
  const server = await startTestServer({ ...settings, onlyReads: true });
  const client = connect(server.url);
  const lasts = new Map<string, number>();
  return {
    ...server,
    client,
    append: async (stream, given, parts) => {
      const events = typeof given === 'number' ? newEvents(given, parts) : given;
      const last = lasts.get(stream) ?? -1;
      lasts.set(stream, last + events.length);
      await succeeded(server.events.store.append(stream, last < 0 ? 'no_stream' : last, events));
    },
    stop: async () => {
      await client.dispose();
      await server.stop();
    },
  };
};
