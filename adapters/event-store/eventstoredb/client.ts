import { existsSync, readFileSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { type ClientDuplexStream, type ClientReadableStream, Metadata } from '@grpc/grpc-js';
import { EventStoreDBClient } from '@eventstore/db-client';
import { ServerFeaturesClient } from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import type { SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import {
  PersistentSubscriptionsClient,
  PersistentSubscriptionsService,
} from '@eventstore/db-client/generated/persistent_grpc_pb.js';
import { StreamsClient, StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import { constVoid } from 'fp-ts/lib/function.js';
import { tryInTime } from '../../runtime/deadline.js';
import { decryptingEndpoint } from '../../runtime/decrypting-endpoint.js';
import { hostInAddress } from '../../runtime/server-address.js';
import type { Address, Endpoint } from './address.js';
import { type BatchAnswer, batchAnswerOf } from './batch-answer.js';
import { type BatchCall, batchCall } from './batch-call.js';
import { callFailureOf } from './call-failure.js';
import { type OwnSockets, createOwnSockets } from './own-sockets.js';
import { type ReadResponse, readResponseOf } from './read-response.js';

export interface ReadOptions {
  /** Whether only the leader may answer; other nodes then name the leader. */
  readonly from_leader: boolean;
  /** Milliseconds after which the whole answer must have arrived; null for a subscription. */
  readonly deadline: number | null;
}

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

type AppendCall = ClientDuplexStream<Buffer, BatchAnswer>;

const asTheyAre = (bytes: Buffer): Buffer => bytes;

/** How long to wait for cancelled calls to end, in milliseconds. */
const disposal = 1_000;

/**
 * Extends the client by what it lacks: reads with a filter and a deadline, connections that are closed with it, and no
 * unhandled rejections. https://github.com/EventStore/EventStore-Client-NodeJS, 6.2.1
 */
export class Client extends EventStoreDBClient {
  /** The `Authorization` header of reads; appends receive credentials separately. */
  authorization: string | null = null;
  sockets: OwnSockets | null = null;
  readonly #calls = new WeakMap<StreamsClient, AppendCall | Promise<AppendCall>>();
  readonly #batches = new WeakMap<AppendCall, BatchCall>();

  /**
   * The client does not await its error handler: a failed reconnect would crash the process. It would also leave a
   * server that is merely overloaded.
   */
  fixErrorHandling(): this {
    const handle = this.handleError;
    this.handleError = async (client, error) => {
      if (callFailureOf(error)._tag !== 'Busy') await handle(client, error).catch(constVoid);
    };
    return this;
  }

  /** Ends pending calls and closes the connections, including those to a server that no longer responds. */
  async release(): Promise<void> {
    await tryInTime(() => this.dispose(), disposal);
    const closing = this.getChannel().then((channel) => channel.close());
    // Lets data that is already written be sent.
    await setImmediate();
    this.sockets?.end();
    await closing;
  }

  /** What the server reports about itself. */
  features(deadline: number): Promise<ServerFeatures> {
    return this.execute(
      ServerFeaturesClient,
      'getSupportedMethods',
      (features) =>
        new Promise((resolve, reject) => {
          const options = { deadline: Date.now() + deadline };
          features.getSupportedMethods(new shared.Empty(), new Metadata(), options, (error, methods) =>
            error === null ? resolve(featuresOf(methods)) : reject(error),
          );
        }),
    );
  }

  /** The shared call for appends on the current connection; a new one if the last has ended. */
  async batch(): Promise<BatchCall> {
    const call = await this.GRPCStreamCreator(
      StreamsClient,
      'batchAppend',
      (client) =>
        client.makeBidiStreamRequest(StreamsService.batchAppend.path, asTheyAre, batchAnswerOf, this.#metadata(true)),
      this.#calls,
    )();
    const known = this.#batches.get(call) ?? batchCall(call);
    this.#batches.set(call, known);
    return known;
  }

  /** The answers to a read or subscription. */
  read(request: ReadReq, { from_leader, deadline }: ReadOptions): Promise<ClientReadableStream<ReadResponse>> {
    const metadata = this.#metadata(from_leader);
    const { path, requestSerialize } = StreamsService.read;
    const options = { deadline: deadline === null ? Infinity : Date.now() + deadline };
    return this.GRPCStreamCreator(StreamsClient, 'read', (client) =>
      client.makeServerStreamRequest(path, requestSerialize, readResponseOf, request, metadata, options),
    )();
  }

  /** Joins a persistent subscription group: receives its events; what is written acknowledges them. */
  consume(): Promise<ClientDuplexStream<Buffer, ReadResponse>> {
    const { path } = PersistentSubscriptionsService.read;
    return this.GRPCStreamCreator(PersistentSubscriptionsClient, 'consume', (client) =>
      client.makeBidiStreamRequest(path, asTheyAre, readResponseOf, this.#metadata(false)),
    )();
  }

  #metadata(from_leader: boolean): Metadata {
    const metadata = new Metadata();
    metadata.add('connection-name', this.connectionName);
    if (from_leader) metadata.add('requires-leader', 'true');
    if (this.authorization !== null) metadata.add('authorization', this.authorization);
    return metadata;
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

const channelOf = (address: Address) => {
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

const inBrackets = ({ address, port }: Endpoint): Endpoint => ({
  address: hostInAddress(address),
  port,
});

/**
 * Creates a client with connections of its own: shared connections would also share the reconnect backoff, which grows
 * to two minutes. Throws when a certificate file is missing.
 */
export const createClient = (address: Address): Client => {
  const { endpoints, credentials, discover, connection_name } = address;
  const options = {
    throwOnAppendFailure: true,
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
  const channel = channelOf(address);
  const hosts = endpoints.map(inBrackets);
  const [endpoint = endpoints[0]] = hosts;
  const by = credentials ?? undefined;
  const createFor = (): Client => {
    if (hosts.length > 1) return new Client({ ...options, ...discovery, endpoints: hosts }, channel, by);
    return discover
      ? new Client({ ...options, ...discovery, discover: endpoint }, channel, by)
      : new Client({ ...options, endpoint }, channel, by);
  };
  const sockets = createOwnSockets();
  const client = sockets.under(createFor).fixErrorHandling();
  client.sockets = sockets;
  if (credentials !== null && address.tls) {
    const { username, password } = credentials;
    client.authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  }
  return client;
};
