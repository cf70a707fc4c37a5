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
import type { Address, Endpoint } from './address.js';
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

/** Makes credentials tell the client of each socket. They equal no others, so clients share no connections. */
const registering = (made: ChannelCredentials, client: () => Client): ChannelCredentials => {
  const createConnector = made._createSecureConnector.bind(made);
  return Object.assign(made, {
    _equals: (other: ChannelCredentials) => other === made,
    _createSecureConnector: (...given: Parameters<typeof createConnector>) => {
      const connector = createConnector(...given);
      const waitForReady = connector.waitForReady.bind(connector);
      const connect = connector.connect.bind(connector);
      return Object.assign(connector, {
        waitForReady: async () => {
          client().check();
          await waitForReady();
        },
        connect: async (socket: Socket) => {
          client().keep(socket);
          return connect(socket);
        },
      });
    },
  });
};

/**
 * Constructs a client that knows its sockets. gRPC waits for ever for the first data of a server that accepts a
 * connection and then says nothing, even after its channel is closed (https://github.com/grpc/grpc-node/issues/2785), so
 * such sockets must be destroyed. The client makes its credentials in its constructor and accepts none.
 */
const withSockets = (construct: () => Client): Client => {
  const { createInsecure, createSsl } = credentials;
  credentials.createInsecure = () => registering(createInsecure(), () => client);
  credentials.createSsl = (...given) => registering(createSsl(...given), () => client);
  let client: Client;
  try {
    client = construct();
  } finally {
    Object.assign(credentials, { createInsecure, createSsl });
  }
  return client;
};

/**
 * The vendor's client with what it lacks: filters for reads of the whole log, and an end that closes its connections.
 * Its faults that would end the process are avoided: https://github.com/EventStore/EventStore-Client-NodeJS, 6.2.1.
 */
export class Client extends EventStoreDBClient {
  readonly sockets = new Set<Socket>();
  /** From then on its calls are cancelled, which the client reports like a complete answer. */
  isReleased = false;

  check(): void {
    if (this.isReleased) throw new Error('the client was released');
  }

  /** Remembers a socket, so that it does not outlive this client. */
  keep(socket: Socket): void {
    this.check();
    this.sockets.add(socket);
    socket.once('close', () => this.sockets.delete(socket));
  }

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
    this.sockets.forEach((socket) => socket.destroy());
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

const contentOf = (file: string, what: string): Buffer | undefined => {
  if (file === '') return undefined;
  if (!existsSync(file)) throw new Error(`${what} of the event store cannot be found: ${file}`);
  return readFileSync(file);
};

/** The certificate authority to trust, if the address names one. Throws when its file is missing. */
export const authorityOf = ({ tls_ca_file }: Address): Buffer | undefined =>
  contentOf(tls_ca_file, 'the certificate authority');

const channelOptions = (address: Address) => {
  const rootCertificate = authorityOf(address);
  const userCertFile = contentOf(address.user_cert_file, 'the user certificate');
  const userKeyFile = contentOf(address.user_key_file, 'the user key');
  return {
    insecure: !address.tls,
    verifyOptions: { rejectUnauthorized: address.tls_verify },
    ...(rootCertificate === undefined ? {} : { rootCertificate }),
    ...(userCertFile === undefined || userKeyFile === undefined ? {} : { userCertFile, userKeyFile }),
  };
};

/** The longest possible timer, 24 days: the client would interpret "never" as a ping every millisecond. */
const never_ms = 2 ** 31 - 1;
/** Within this time all hosts should have been asked which node leads, even if some do not respond. */
const discoverySeconds = 3;

const written = ({ address, port }: Endpoint): Endpoint => ({ address: hostInAddress(address), port });

/** Creates a client with connections of its own. Throws when a certificate file is missing. */
export const createClient = (address: Address): Client => {
  const { discover, endpoints, connection_name, keep_alive_interval, keep_alive_timeout } = address;
  const [endpoint, ...others] = endpoints;
  const options = {
    keepAliveInterval: keep_alive_interval === 'off' ? never_ms : keep_alive_interval,
    keepAliveTimeout: keep_alive_timeout === 'off' ? never_ms : keep_alive_timeout,
    defaultDeadline: address.deadline,
    ...(connection_name === '' ? {} : { connectionName: connection_name }),
  };
  const discovery = {
    nodePreference: address.node_preference,
    discoveryInterval: address.discovery_interval,
    gossipTimeout: Math.ceil(Math.min(address.gossip_timeout, discoverySeconds / endpoints.length)),
    maxDiscoverAttempts: address.max_discover_attempts,
  };
  const [channel, user] = [channelOptions(address), address.credentials ?? undefined];
  const construct = (): Client => {
    if (others.length > 0)
      return new Client({ ...options, ...discovery, endpoints: endpoints.map(written) }, channel, user);
    return discover
      ? new Client({ ...options, ...discovery, discover: written(endpoint) }, channel, user)
      : new Client({ ...options, endpoint: written(endpoint) }, channel, user);
  };
  return withSockets(construct).avoidFaults();
};
