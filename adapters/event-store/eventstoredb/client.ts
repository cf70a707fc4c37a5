import { existsSync, readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { type AllStreamResolvedEvent, EventStoreDBClient, type RegexFilter } from '@eventstore/db-client';
import { ReadStream } from '@eventstore/db-client/dist/streams/utils/ReadStream.js';
import { convertGrpcEvent } from '@eventstore/db-client/dist/utils/convertGrpcEvent.js';
import { ServerFeaturesClient } from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import type { SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import { StreamsClient, StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { type ChannelCredentials, connectivityState, credentials } from '@grpc/grpc-js';
import { constVoid } from 'fp-ts/lib/function.js';
import { tryInTime } from '../../runtime/clock.js';
import { decryptingEndpoint, hostInAddress } from '../../runtime/connections.js';
import type { Address } from './address.js';
import { callFailureOf } from './errors.js';

/** What a server reports about itself. */
interface ServerFeatures {
  /** Its version, such as `24.6.0`; null when it does not report one. */
  readonly version: string | null;
  /** Whether it is the protocol endpoint of this service, which decrypts what it sends. */
  readonly decrypts: boolean;
}

const featuresOf = (supported: SupportedMethods): ServerFeatures => ({
  version: supported.getEventStoreServerVersion() || null,
  decrypts: supported.getMethodsList().some((method) => method.getServiceName() === decryptingEndpoint.service),
});

/** Which part of the log to read. */
interface LogPart {
  /** The commit position of the first event, or the end of the log to read backwards from there; null: the start. */
  readonly from: bigint | 'end' | null;
  readonly count: number;
}

/** How long to wait for cancelled calls to end, in milliseconds. */
const disposeTimeoutMs = 1_000;

/** The sockets of a client, so that none outlives it. */
const createSockets = () => {
  const open = new Set<Socket>();
  let destroyed = false;
  const check = (): void => {
    if (destroyed) throw new Error('the client was released');
  };
  return {
    check,
    add: (socket: Socket): void => {
      check();
      open.add(socket);
      socket.once('close', () => open.delete(socket));
    },
    destroy: (): void => {
      destroyed = true;
      open.forEach((socket) => socket.destroy());
    },
  };
};

type Sockets = ReturnType<typeof createSockets>;

/** Makes credentials register each socket before it is used. They equal no others, so clients share no connections. */
const registering = (made: ChannelCredentials, sockets: Sockets): ChannelCredentials => {
  const createConnector = made._createSecureConnector.bind(made);
  return Object.assign(made, {
    _equals: (other: ChannelCredentials) => other === made,
    _createSecureConnector: (...given: Parameters<typeof createConnector>) => {
      const connector = createConnector(...given);
      return {
        waitForReady: async () => {
          sockets.check();
          await connector.waitForReady();
        },
        connect: async (socket: Socket) => {
          sockets.add(socket);
          return connector.connect(socket);
        },
        getCallCredentials: () => connector.getCallCredentials(),
        destroy: () => connector.destroy(),
      };
    },
  });
};

/**
 * Constructs a client whose sockets are registered. gRPC waits for ever for the first data of a server that accepts a
 * connection and then says nothing, even after its channel is closed (https://github.com/grpc/grpc-node/issues/2785), so
 * such sockets must be destroyed. The client makes its credentials in its constructor and accepts none.
 */
const withSockets = <A>(sockets: Sockets, construct: () => A): A => {
  const { createInsecure, createSsl } = credentials;
  credentials.createInsecure = () => registering(createInsecure(), sockets);
  credentials.createSsl = (...given) => registering(createSsl(...given), sockets);
  try {
    return construct();
  } finally {
    Object.assign(credentials, { createInsecure, createSsl });
  }
};

/**
 * The vendor's client with what it lacks: filters for reads of the whole log, and an end that closes its connections.
 * Its faults that would end the process are avoided: https://github.com/EventStore/EventStore-Client-NodeJS, 6.2.1.
 */
export class Client extends EventStoreDBClient {
  sockets: Sockets | null = null;
  /** From then on its calls are cancelled, which the client reports like a complete answer. */
  isReleased = false;

  avoidFaults(): this {
    const { handleError, execute } = this;
    // The client does not await its error handler: a failed reconnect would be an unhandled rejection. It would also
    // leave a server that is merely overloaded.
    this.handleError = async (client, error) => {
      if (callFailureOf(error)._tag !== 'Busy') await handleError(client, error).catch(constVoid);
    };
    // A call on a channel that was closed in the meantime would be an unhandled rejection.
    this.execute = (kind, name, action) =>
      execute(kind, name, (client) => {
        if (client.getChannel().getConnectivityState(false) === connectivityState.SHUTDOWN)
          throw new Error('the connection was closed');
        return action(client);
      });
    // The client prefers the batch append, which has a fault that ends the process. It would also ask the server for its
    // methods without a deadline.
    this.supports = ({ path }) => Promise.resolve(path !== StreamsService.batchAppend.path);
    return this;
  }

  /** Ends pending calls and closes the connections, including those to a server that no longer responds. */
  async release(): Promise<void> {
    this.isReleased = true;
    await tryInTime(() => this.dispose(), disposeTimeoutMs);
    const closing = this.getChannel().then((channel) => channel.close());
    // Lets data that is already written be sent.
    await setImmediate();
    this.sockets?.destroy();
    await closing;
  }

  /** What the server reports about itself. */
  features(deadline: number): Promise<ServerFeatures> {
    return this.execute(
      ServerFeaturesClient,
      'getSupportedMethods',
      (client) =>
        new Promise((resolve, reject) => {
          client.getSupportedMethods(new shared.Empty(), ...this.callArguments({ deadline }), (error, methods) =>
            error === null ? resolve(featuresOf(methods)) : reject(error),
          );
        }),
    );
  }

  /** Reads the events of all streams that pass a filter, as `readAll` does without one. */
  readFiltered({ filterOn, regex }: RegexFilter, { from, count }: LogPart): ReadStream<AllStreamResolvedEvent> {
    const { Options } = streams.ReadReq;
    const all = new Options.AllOptions();
    if (from === null) all.setStart(new shared.Empty());
    else if (from === 'end') all.setEnd(new shared.Empty());
    else all.setPosition(new Options.Position().setCommitPosition(`${from}`).setPreparePosition(`${from}`));
    const filter = new Options.FilterOptions().setMax(500).setCheckpointintervalmultiplier(1);
    const expression = new Options.FilterOptions.Expression().setRegex(regex);
    if (filterOn === 'eventType') filter.setEventType(expression);
    else filter.setStreamIdentifier(expression);
    const options = new Options()
      .setAll(all)
      .setReadDirection(from === 'end' ? 1 : 0)
      .setCount(String(count))
      .setUuidOption(new Options.UUIDOption().setString(new shared.Empty()))
      .setFilter(filter);
    const request = new streams.ReadReq().setOptions(options);
    const start = this.GRPCStreamCreator(StreamsClient, 'readAll', (client) =>
      client.read(request, ...this.callArguments({ requiresLeader: true }, { deadline: Infinity })),
    );
    return new ReadStream(start, convertGrpcEvent, {});
  }
}

const contentOf = (file: string | null, what: string): Buffer | undefined => {
  if (file === null) return undefined;
  if (!existsSync(file)) throw new Error(`${what} of the event store cannot be found: ${file}`);
  return readFileSync(file);
};

/** The certificate authority to trust, if the address names one. Throws when its file is missing. */
export const authorityOf = ({ tls_ca_file }: Address): Buffer | undefined =>
  contentOf(tls_ca_file, 'the certificate authority');

const channelOptions = (address: Address) => {
  const { tls, tls_verify, user_cert_file, user_key_file } = address;
  const rootCertificate = authorityOf(address);
  const userCertFile = contentOf(user_cert_file, 'the user certificate');
  const userKeyFile = contentOf(user_key_file, 'the user key');
  return {
    insecure: !tls,
    ...(tls_verify ? {} : { verifyOptions: { rejectUnauthorized: false } }),
    ...(rootCertificate === undefined ? {} : { rootCertificate }),
    ...(userCertFile === undefined || userKeyFile === undefined ? {} : { userCertFile, userKeyFile }),
  };
};

/** The longest possible timer, 24 days: the client would interpret "never" as a ping every millisecond. */
const never_ms = 2 ** 31 - 1;
/** Within this time all hosts should have been asked which node leads, even if some do not respond. */
const discovery_ms = 3_000;

/** Creates a client with connections of its own. Throws when a certificate file is missing. */
export const createClient = (address: Address): Client => {
  const { discover, connection_name } = address;
  const endpoints = address.endpoints.map(({ address: host, port }) => ({ address: hostInAddress(host), port }));
  const [endpoint = address.endpoints[0]] = endpoints;
  const options = {
    keepAliveInterval: address.keep_alive_interval ?? never_ms,
    keepAliveTimeout: address.keep_alive_timeout ?? never_ms,
    defaultDeadline: address.deadline,
    ...(connection_name === null ? {} : { connectionName: connection_name }),
  };
  const discovery = {
    nodePreference: address.node_preference,
    discoveryInterval: address.discovery_interval,
    gossipTimeout: Math.ceil(Math.min(address.gossip_timeout, discovery_ms / endpoints.length) / 1_000),
    maxDiscoverAttempts: address.max_discover_attempts,
  };
  const channel = channelOptions(address);
  const user = address.credentials ?? undefined;
  const sockets = createSockets();
  const client = withSockets(sockets, () => {
    if (endpoints.length > 1) return new Client({ ...options, ...discovery, endpoints }, channel, user);
    return discover
      ? new Client({ ...options, ...discovery, discover: endpoint }, channel, user)
      : new Client({ ...options, endpoint }, channel, user);
  });
  client.sockets = sockets;
  return client.avoidFaults();
};
