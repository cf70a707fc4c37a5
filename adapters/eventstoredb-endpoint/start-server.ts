import { hostInAddress } from '../runtime/server-address.js';
import { GossipService } from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import { PersistentSubscriptionsService } from '@eventstore/db-client/generated/persistent_grpc_pb.js';
import { ServerFeaturesService } from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import { StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import type { EventLog } from '../event-store/sqlite/open.js';
import { type Access, type AccessRules, createAccess } from './access.js';
import { type Behaviour, embeddedBehaviour } from './behaviour.js';
import { type OpenRow, type ServedLog, serveLog } from './log/open-log.js';
import { gossipCall } from './gossip.js';
import { createCall } from './persistent/create.js';
import { connectCall } from './persistent/connect.js';
import { type Groups, openGroups } from './persistent/groups.js';
import { supportedMethodsCall } from './server-features.js';
import { appendEvents } from './streams/append-events.js';
import { appendCall } from './streams/append.js';
import { batchAppendCall } from './streams/batch-append.js';
import { readCall } from './streams/read.js';

export interface EventStoreDbServerOptions extends AccessRules {
  readonly log: EventLog;
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** PEM texts; null serves without TLS. */
  readonly tls: { readonly cert: string; readonly key: string } | null;
  /** Decrypts sealed events for readers. */
  readonly open?: OpenRow;
  /** Imitates another server version. */
  readonly behaviour?: Behaviour;
}

export interface EventStoreDbServer {
  readonly port: number;
  /** Ends all calls, by force after a short time. Must be called before the log is closed. */
  readonly stop: () => Promise<void>;
}

const shutdownTimeoutMs = 200;

const asSent = (message: Buffer): Buffer => message;

const minMaxMessageBytes = 8 * 1_048_576;

const settingsOf = ({ limits, callsPerConnection }: Behaviour) => ({
  'grpc.max_receive_message_length': Math.max(minMaxMessageBytes, 2 * limits.event),
  'grpc.max_send_message_length': -1,
  ...(callsPerConnection === null ? {} : { 'grpc.max_concurrent_streams': callsPerConnection }),
});

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

const streamsOf = (access: Access, log: ServedLog) => {
  const append = appendEvents(log, access);
  const { read, append: plain, batchAppend } = StreamsService;
  const definition = {
    read: { ...read, responseSerialize: asSent, responseDeserialize: asSent },
    append: plain,
    batchAppend,
  };
  const calls = {
    read: readCall(access, log),
    append: appendCall(access, append, log.behaviour),
    batchAppend: batchAppendCall(access, append, log.behaviour),
  };
  return { definition, calls };
};

const groupsOf = (access: Access, log: ServedLog, groups: Groups) => {
  const { create, read } = PersistentSubscriptionsService;
  const definition = {
    create,
    read: { ...read, responseSerialize: asSent, responseDeserialize: asSent },
  };
  const calls = {
    create: createCall(access, log, groups),
    read: connectCall(access, groups, log),
  };
  return { definition, calls };
};

/**
 * Serves an embedded log to EventStoreDB clients over gRPC. Unknown calls are answered with UNIMPLEMENTED. Rejects when
 * the port is not available.
 */
export const startEventStoreDbServer = async (options: EventStoreDbServerOptions): Promise<EventStoreDbServer> => {
  const { host, tls, behaviour = embeddedBehaviour } = options;
  const ending = new AbortController();
  const access = createAccess(options);
  const log = serveLog(options.log, behaviour, ending.signal, options.open);
  const groups = openGroups(options.log, log);
  const streams = streamsOf(access, log);
  const persistent = groupsOf(access, log, groups);
  const server = new Server(settingsOf(behaviour));
  server.addService(streams.definition, streams.calls);
  server.addService(persistent.definition, persistent.calls);
  let port = options.port;
  server.addService(GossipService, { read: gossipCall(() => port, options) });
  const methods = [
    ...Object.values(streams.definition),
    ...Object.values(persistent.definition),
    ...Object.values(GossipService),
  ];
  const features = supportedMethodsCall(behaviour.version, methods, options.open !== undefined);
  server.addService(ServerFeaturesService, { getSupportedMethods: features });
  port = await portOf(server, `${hostInAddress(host)}:${port}`, credentialsOf(tls));
  return {
    port,
    stop: async () => {
      ending.abort();
      log.headSignal.wake();
      await groups.close();
      await stop(server);
    },
  };
};
