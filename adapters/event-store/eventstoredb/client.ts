import type { Socket } from 'node:net';
import { addAbortSignal } from 'node:stream';
import {
  type AllStreamResolvedEvent,
  EventStoreDBClient,
  type RegexFilter,
  type PrefixesFilter,
} from '@eventstore/db-client';
import { ReadStream } from '@eventstore/db-client/dist/streams/utils/ReadStream.js';
import { convertGrpcEvent } from '@eventstore/db-client/dist/utils/convertGrpcEvent.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import { StreamsClient, StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { type ChannelCredentials, connectivityState, credentials } from '@grpc/grpc-js';
import { constVoid } from 'fp-ts/lib/function.js';
import { decryptingCall } from '../../runtime/connections.js';
import type { Address } from './address.js';
import { callFailureOf } from './errors.js';

/** Makes credentials whose sockets end with their client. They equal no others, so clients share no connections. */
const bound = (made: ChannelCredentials, client: () => Client): ChannelCredentials => {
  const createConnector = made._createSecureConnector.bind(made);
  return Object.assign(made, {
    _equals: (other: ChannelCredentials) => other === made,
    _createSecureConnector: (...given: Parameters<typeof createConnector>) => {
      const connector = createConnector(...given);
      const waitForReady = connector.waitForReady.bind(connector);
      const connect = connector.connect.bind(connector);
      return Object.assign(connector, {
        waitForReady: async () => {
          client().released.signal.throwIfAborted();
          await waitForReady();
        },
        connect: (socket: Socket) => connect(addAbortSignal(client().released.signal, socket.on('error', constVoid))),
      });
    },
  });
};

/**
 * Constructs a client whose sockets end with it. gRPC waits for ever for the first data of a server that accepts a
 * connection and then says nothing, even after its channel is closed (https://github.com/grpc/grpc-node/issues/2785), so
 * such sockets must be destroyed. The client makes its credentials in its constructor and accepts none.
 */
const withSockets = (construct: () => Client): Client => {
  const { createInsecure, createSsl } = credentials;
  credentials.createInsecure = () => bound(createInsecure(), () => client);
  credentials.createSsl = (...given) => bound(createSsl(...given), () => client);
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
  readonly released = new AbortController();

  avoidFaults(): this {
    const { handleError, execute } = this;
    // The client does not await its error handler: a failed reconnect would be an unhandled rejection. It would also
    // leave a server that is merely overloaded.
    this.handleError = async (client, error) => {
      if (callFailureOf(error)._tag !== 'Failed') await handleError(client, error).catch(constVoid);
    };
    // A call on a channel that was closed in the meantime would be an unhandled rejection.
    this.execute = (kind, name, action) =>
      execute(kind, name, (client) => {
        if (client.getChannel().getConnectivityState(false) === connectivityState.SHUTDOWN)
          throw new Error('the connection was closed');
        return action(client);
      });
    // The client prefers the batch append, which has a fault that ends the process.
    this.supports = ({ path }) => Promise.resolve(path !== StreamsService.batchAppend.path);
    return this;
  }

  /** Ends pending calls and closes the connections, including those to a server that no longer responds. */
  async release(): Promise<void> {
    this.released.abort();
    (await this.getChannel()).close();
  }

  /** The server's version, and whether it is the protocol endpoint of this service, which decrypts what it sends. */
  async features(): Promise<{ readonly version: string; readonly decrypts: boolean }> {
    const known = await this.capabilities;
    const decrypts = known.supports({ ...StreamsService.read, path: decryptingCall });
    return { version: known.serverVersion, decrypts };
  }

  /**
   * Reads the events of all streams that pass a filter, as `readAll` does without one: at most `count`, from a commit
   * position on, or backwards from the end of the log.
   */
  readFiltered(
    filter: RegexFilter | PrefixesFilter,
    from: bigint | 'end',
    count: number,
  ): ReadStream<AllStreamResolvedEvent> {
    const { Options } = streams.ReadReq;
    const expression = new Options.FilterOptions.Expression();
    if ('regex' in filter) expression.setRegex(filter.regex);
    else expression.setPrefixList(filter.prefixes);
    const filterOptions = new Options.FilterOptions().setMax(500).setCheckpointintervalmultiplier(1);
    if (filter.filterOn === 'eventType') filterOptions.setEventType(expression);
    else filterOptions.setStreamIdentifier(expression);
    const all = new Options.AllOptions();
    if (from === 'end') all.setEnd(new shared.Empty());
    else all.setPosition(new Options.Position().setCommitPosition(`${from}`).setPreparePosition(`${from}`));
    const options = new Options()
      .setAll(all)
      .setReadDirection(from === 'end' ? 1 : 0)
      .setCount(`${count}`)
      .setUuidOption(new Options.UUIDOption().setString(new shared.Empty()))
      .setFilter(filterOptions);
    const request = new streams.ReadReq().setOptions(options);
    const start = this.GRPCStreamCreator(StreamsClient, 'readAll', (client) =>
      client.read(request, ...this.callArguments({ requiresLeader: true }, { deadline: Infinity })),
    );
    return new ReadStream(start, convertGrpcEvent, {});
  }
}

/** Within this time all hosts should have been asked which node leads, even if some do not respond. */
const discoverySeconds = 3;

const channelOptions = ({ tls, tlsVerifyCert, tlsCAFile, userCertFile, userKeyFile }: Address) => ({
  insecure: !tls,
  verifyOptions: { rejectUnauthorized: tlsVerifyCert },
  ...(tlsCAFile === undefined ? {} : { rootCertificate: tlsCAFile }),
  ...(userCertFile === undefined || userKeyFile === undefined ? {} : { userCertFile, userKeyFile }),
});

/** Creates a client with connections of its own. */
export const createClient = (address: Address): Client => {
  const { endpoints, discover, gossipTimeout } = address;
  const [{ address: host, port }, ...others] = endpoints;
  const [channel, user] = [channelOptions(address), address.credentials ?? undefined];
  const patience = Math.ceil(Math.min(gossipTimeout, discoverySeconds / endpoints.length));
  const construct = (): Client =>
    discover || others.length > 0
      ? new Client({ ...address, endpoints: [...endpoints], gossipTimeout: patience }, channel, user)
      : new Client({ ...address, endpoint: `${host}:${port}` }, channel, user);
  return withSockets(construct).avoidFaults();
};
