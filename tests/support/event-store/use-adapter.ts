import { once } from 'node:events';
import { type Socket, createServer } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import eventStoreDb, {
  type AllStreamRecordedEvent,
  type AllStreamResolvedEvent,
  type EventStoreDBClient,
} from '@eventstore/db-client';
import { openEventStoreDb } from '../../../adapters/event-store/eventstoredb/open.js';
import type { NewEvent } from '../../../application/ports/event-store.js';
import { addressOf, type ServerSettings, type TestServer, startTestServer } from './eventstoredb-server.js';
import { startServerProcess } from './eventstoredb-process.js';
import { newEvents, succeeded, recordingLog, temporaryFolder } from './stores.js';

const { EventStoreDBClient: Client, jsonEvent } = eventStoreDb;

/** The vendor's own client. */
export const connect = (url: string): EventStoreDBClient => Client.connectionString(url);

/** `count` events of one type, numbered in their data. */
export const numbered = (count: number, type = 'Counted', first = 0) =>
  Array.from({ length: count }, (_, index) => jsonEvent({ type, data: { n: first + index } }));

/** Collects the events of a read or a subscription until it ends or `count` events have arrived. */
export const take = async <Event>(events: AsyncIterable<Event>, count = Number.MAX_SAFE_INTEGER): Promise<Event[]> => {
  const taken: Event[] = [];
  for await (const event of events) {
    taken.push(event);
    if (taken.length === count) break;
  }
  return taken;
};

/** The recorded events inside resolved events. */
export const recorded = (events: ReadonlyArray<Pick<AllStreamResolvedEvent, 'event'>>): AllStreamRecordedEvent[] =>
  events.flatMap(({ event }) => event ?? []);

export const revisions = (events: ReadonlyArray<{ readonly event?: { readonly revision: bigint } }>): number[] =>
  events.flatMap(({ event }) => (event === undefined ? [] : [Number(event.revision)]));

/** The error of a promise that rejects, as the client reports it. */
export const failure = async (work: Promise<unknown>): Promise<Record<string, unknown>> => {
  try {
    await work;
  } catch (error) {
    if (typeof error === 'object' && error !== null) return { ...error };
  }
  throw new Error('it succeeded');
};

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

interface MuteServer {
  readonly port: number;
  readonly stop: () => Promise<void>;
}

/** Accepts connections, with TLS if a certificate is given, and never sends any data. */
const startMuteServer = async (tls: { readonly cert: string; readonly key: string } | null): Promise<MuteServer> => {
  const accepted = new Set<Socket>();
  const keepMute = (socket: Socket): void => {
    accepted.add(socket);
    socket.once('close', () => accepted.delete(socket));
    socket.on('error', () => socket.destroy());
    socket.resume();
  };
  const server = tls === null ? createServer(keepMute) : createTlsServer({ ...tls, ALPNProtocols: ['h2'] }, keepMute);
  server.listen(0, 'localhost');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      accepted.forEach((socket) => socket.destroy());
      await closed;
    },
  };
};

/** What a test of the EventStoreDB adapter starts and opens. All of it ends after the test, the last first. */
export const useAdapter = () => {
  const ends: Array<() => unknown> = [];
  const later = <Started>(started: Started, end: (started: Started) => unknown): Started => {
    ends.push(() => end(started));
    return started;
  };
  afterEach(async () => {
    for (const end of ends.splice(0).toReversed()) await end();
  });
  /** A name for a log's file that does not exist yet. */
  const newFile = async (): Promise<string> => {
    const { path } = later(await temporaryFolder(), ({ remove }) => remove());
    return `${path}/events.db`;
  };
  return {
    later,
    newFile,
    serve: async (settings?: ServerSettings): Promise<TestServer> =>
      later(await startTestServer(settings), ({ stop }) => stop()),
    serveInProcess: async (file: string, port = 0) =>
      later(await startServerProcess({ file, port }), ({ kill }) => kill()),
    serveMute: async (certificate: Parameters<typeof startMuteServer>[0] = null) =>
      later(await startMuteServer(certificate), ({ stop }) => stop()),
    /** Opens the store at an address; `lines` are those of its log. */
    open: (url: string, { log, lines } = recordingLog()) =>
      later({ ...openEventStoreDb(addressOf(url), log), lines }, ({ close }) => close()),
  };
};

/** The lines that report a lost connection. */
export const losses = (lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines.filter((line) => line.startsWith('warn: the connection to the event store is lost'));

/** The lines that report that it is back. */
export const returns = (lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines.filter((line) => line.startsWith('info: the connection to the event store is back'));
