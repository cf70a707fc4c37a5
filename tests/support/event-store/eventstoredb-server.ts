import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { GossipService } from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import { ServerFeaturesService } from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import { StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import { type ServiceError, status } from '@grpc/grpc-js';
import * as E from 'fp-ts/lib/Either.js';
import Database from 'libsql';
import { readAddress } from '../../../adapters/event-store/eventstoredb/address.js';
import { marks, tables } from '../../../adapters/event-store/sqlite/file.js';
import {
  type EventLog,
  openSqliteEventStore,
  type SqliteEventStore,
} from '../../../adapters/event-store/sqlite/open.js';
import { type Address, gossipCall, supportedMethodsCall } from '../../../adapters/eventstoredb-endpoint/discovery.js';
import { refusal } from '../../../adapters/eventstoredb-endpoint/errors.js';
import { streamName } from '../../../adapters/eventstoredb-endpoint/read-request.js';
import {
  type ReadCall,
  type Reader,
  checkpointMessage,
  serveRead,
} from '../../../adapters/eventstoredb-endpoint/reading.js';
import {
  type ServedCalls,
  type ServerParts,
  type EventStoreDbServerOptions,
  startEventStoreDbServer,
} from '../../../adapters/eventstoredb-endpoint/start-server.js';
import { temporaryFolder } from './stores.js';
import { type Behaviour, type Positions, type Version, endpointBehaviour, versions } from './versions.js';
import { type Faults, type Imitation, appendCall, noFaults, refusals } from './eventstoredb-appending.js';

/** A connection string that is known to be right. */
export const addressOf = (text: string) => {
  const address = readAddress(text);
  if (E.isLeft(address)) throw new Error(address.left);
  return address.right;
};

const greatest = String(2n ** 64n - 1n);

/** A read or subscription from a position at which there is no event. */
export const invalidPosition = (subscribes: boolean): ServiceError =>
  subscribes
    ? refusal(status.INVALID_ARGUMENT, 'Trying to read from an invalid position.')
    : refusal(status.UNKNOWN, 'Unexpected FilteredReadAllResult: InvalidPosition');

/** What a client receives when the server resets the stream of its call. */
const streamReset = (): ServiceError =>
  refusal(status.INTERNAL, 'Received RST_STREAM with code 2 (Internal server error)');

/** Gives an event of the endpoint the position that it has in this version. */
const placeEvent = (message: ReadResp, { of }: Positions): ReadResp => {
  const event = message.getEvent();
  const position = String(of(Number(event?.getCommitPosition())));
  event?.setCommitPosition(position).getEvent()?.setCommitPosition(position).setPreparePosition(position);
  return message;
};

/** Turns the position of a request into a row. Returns whether there is one. */
const placeRequest = ({ request }: ReadCall, { rowAt }: Positions): boolean => {
  const options = request.getOptions();
  const position = options?.getAll()?.getPosition();
  if (options === undefined || position === undefined) return true;
  const row = rowAt({ commit: BigInt(position.getCommitPosition()), prepare: BigInt(position.getPreparePosition()) });
  if (row !== null) position.setCommitPosition(String(options.hasSubscription() ? Math.floor(row) : Math.ceil(row)));
  return row !== null;
};

/** Changes what a client receives into what this version would send. */
const imitate =
  ({ request }: ReadCall, { positions, checkpoints }: Behaviour, faults: Faults) =>
  (reader: Reader): Reader => {
    const all = request.getOptions()?.getAll();
    const isFiltered = request.getOptions()?.hasFilter() === true;
    let passed = false;
    const checkpoint = (row: number): ReadResp => {
      const isNext = checkpoints === 'next';
      const position = String(positions.of(isNext ? row + 1 : row));
      return checkpointMessage(position, isNext ? '0' : position);
    };
    const imitated = (message: ReadResp): ReadResp => {
      const reached = message.getCheckpoint();
      if (reached !== undefined) return checkpoint(Number(reached.getCommitPosition()));
      passed ||= message.hasEvent();
      return message.hasEvent() ? placeEvent(message, positions) : message;
    };
    return {
      ...reader,
      send: async (message) => {
        for (const sent of faults.rewrite(imitated(message))) await reader.send(sent);
      },
      caughtUp: async (row) => {
        const isFirst = checkpoints === 'greatest first' && all?.hasStart() === true && !passed;
        if (isFiltered && checkpoints !== 'none' && row > 0)
          await reader.send(isFirst ? checkpointMessage(greatest) : checkpoint(row));
        await reader.caughtUp(row);
      },
    };
  };

/** `Streams.Read`, and what ends its subscriptions with the server. */
const readCalls = ({ log, behaviour, refusal, faults, subscriptions }: Imitation) => ({
  read: (call: ReadCall): void => {
    const options = call.request.getOptions();
    const subscribes = options?.hasSubscription() === true;
    const stream = streamName(options?.getStream()?.getStreamIdentifier());
    const refused = refusal(call.metadata, { method: 'read', stream });
    if (refused !== null) return void call.emit('error', refused);
    if (!placeRequest(call, behaviour.positions)) return void call.emit('error', invalidPosition(subscribes));
    if (subscribes) subscriptions.push(call);
    serveRead(call, log, imitate(call, behaviour, faults));
  },
  close: (): void => {
    const open = subscriptions.filter(({ cancelled, destroyed }) => !cancelled && !destroyed);
    if (behaviour.isServer) open.forEach((call) => call.emit('error', streamReset()));
  },
});

const minMaxMessageBytes = 8 * 1_048_576;

const { read, append } = StreamsService;
const paths = [read, append, GossipService.read].map(({ path }) => path);

/** What decides about the calls of a server besides its version. */
interface Circumstances extends Pick<Imitation, 'faults' | 'subscriptions'> {
  /** The address of the leader when this server plays a follower; null when it leads. */
  readonly leader: () => Address | null;
}

/**
 * The calls that a version of EventStoreDB answers: those of the endpoint, changed to what this version does, and
 * appends.
 */
const serverCalls =
  (events: EventLog, behaviour: Behaviour, { leader, faults, subscriptions }: Circumstances) =>
  ({ log, authenticate, port, decrypts }: ServerParts): ServedCalls => {
    const { limits, isServer, version } = behaviour;
    const refusal = refusals(authenticate, leader, faults);
    const imitation: Imitation = { log, behaviour, faults, subscriptions, refusal };
    const reading = readCalls(imitation);
    return {
      services: [
        [
          { read, append },
          { read: reading.read, append: appendCall(events, imitation) },
        ],
        [GossipService, { read: gossipCall(port, leader) }],
        [ServerFeaturesService, { getSupportedMethods: supportedMethodsCall(version, paths, decrypts) }],
      ],
      settings: {
        'grpc.max_receive_message_length': Math.max(minMaxMessageBytes, 2 * limits.event),
        ...(isServer ? { 'grpc.max_concurrent_streams': 100 } : {}),
      },
      close: async () => reading.close(),
    };
  };

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
