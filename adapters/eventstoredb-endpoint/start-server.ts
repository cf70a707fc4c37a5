import { createHash, timingSafeEqual } from 'node:crypto';
import {
  type ChannelOptions,
  type Metadata,
  type ServiceDefinition,
  type ServiceError,
  type UntypedServiceImplementation,
  Server,
  ServerCredentials,
  status,
} from '@grpc/grpc-js';
import { refusal } from './errors.js';
import { hostInAddress } from '../runtime/connections.js';
import { GossipService } from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import { ServerFeaturesService } from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import { StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { EventLog } from '../event-store/sqlite/open.js';
import { gossipCall, supportedMethodsCall } from './discovery.js';
import { createRows } from './rows.js';
import { type ReadCall, type ServedLog, serveRead } from './reading.js';

interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** Why a call is refused; null if it is allowed. */
export type Authenticate = (metadata: Metadata) => ServiceError | null;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

const basic = ({ username, password }: Credentials): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;

/** Checks the credentials of a call; none are required if they are null. */
const authentication = (credentials: Credentials | null): Authenticate => {
  const expected = credentials === null ? null : digest(basic(credentials));
  return (metadata) => {
    const [given] = metadata.get('authorization');
    return expected === null || (given !== undefined && timingSafeEqual(digest(String(given)), expected))
      ? null
      : refusal(status.UNAUTHENTICATED, 'the user name or the password is wrong, or is missing');
  };
};

/** What the calls of a server need. */
export interface ServerParts {
  readonly log: ServedLog;
  readonly authenticate: Authenticate;
  readonly port: () => number;
  /** Whether it decrypts what it sends. */
  readonly decrypts: boolean;
}

/** The calls that a server answers. */
export interface ServedCalls {
  readonly services: ReadonlyArray<readonly [ServiceDefinition, UntypedServiceImplementation]>;
  readonly settings: ChannelOptions;
  /** Called before the server ends. */
  readonly close: () => Promise<void>;
}

export interface EventStoreDbServerOptions {
  readonly log: EventLog;
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** PEM texts; null serves without TLS. */
  readonly tls: { readonly cert: string; readonly key: string } | null;
  /** Null: no credentials are required. */
  readonly credentials: Credentials | null;
  /** Decrypts sealed events for readers. */
  readonly open?: ServedLog['open'];
  /** The calls that are answered; tests add those of a whole EventStoreDB. */
  readonly calls?: (parts: ServerParts) => ServedCalls;
}

export interface EventStoreDbServer {
  readonly port: number;
  /** Ends all calls, by force after a short time. Must be called before the log is closed. */
  readonly stop: () => Promise<void>;
}

const shutdownTimeoutMs = 200;

const version = '23.10.0';

/** Reading and catching up. Clients ask for the others before they read. */
const readingCalls = ({ log, authenticate, port, decrypts }: ServerParts): ServedCalls => {
  const { read } = StreamsService;
  const answerRead = (call: ReadCall): void => {
    const refusal = authenticate(call.metadata);
    if (refusal === null) serveRead(call, log);
    else call.emit('error', refusal);
  };
  const features = supportedMethodsCall(version, [read.path, GossipService.read.path], decrypts);
  return {
    services: [
      [{ read }, { read: answerRead }],
      [GossipService, { read: gossipCall(port) }],
      [ServerFeaturesService, { getSupportedMethods: features }],
    ],
    settings: {},
    close: () => Promise.resolve(),
  };
};

const credentialsOf = (tls: EventStoreDbServerOptions['tls']): ServerCredentials =>
  tls === null
    ? ServerCredentials.createInsecure()
    : ServerCredentials.createSsl(null, [{ cert_chain: Buffer.from(tls.cert), private_key: Buffer.from(tls.key) }]);

const portOf = (server: Server, address: string, credentials: ServerCredentials): Promise<number> =>
  new Promise((resolve, reject) => {
    server.bindAsync(address, credentials, (error, port) => (error === null ? resolve(port) : reject(error)));
  });

const stop = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    const force = setTimeout(() => server.forceShutdown(), shutdownTimeoutMs);
    server.tryShutdown(() => {
      clearTimeout(force);
      resolve();
    });
  });

/**
 * Serves an embedded log to EventStoreDB clients over gRPC. Unknown calls are answered with UNIMPLEMENTED. Rejects when
 * the port is not available.
 */
export const startEventStoreDbServer = async (options: EventStoreDbServerOptions): Promise<EventStoreDbServer> => {
  const { host, tls, open, calls = readingCalls } = options;
  let { port } = options;
  const { services, settings, close } = calls({
    log: {
      rows: createRows(options.log.db),
      appended: options.log.appended,
      open: open ?? ((row) => Promise.resolve(row)),
    },
    authenticate: authentication(options.credentials),
    port: () => port,
    decrypts: open !== undefined,
  });
  const server = new Server({ 'grpc.max_send_message_length': -1, ...settings });
  services.forEach(([definition, implementation]) => server.addService(definition, implementation));
  port = await portOf(server, `${hostInAddress(host)}:${port}`, credentialsOf(tls));
  return {
    port,
    stop: async () => {
      await close();
      await stop(server);
    },
  };
};
