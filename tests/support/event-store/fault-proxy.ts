import { GossipService } from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import { ServerFeaturesService } from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import { StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import {
  Client,
  Metadata,
  type MethodDefinition,
  Server,
  ServerCredentials,
  type ServerDuplexStream,
  type StatusObject,
  credentials,
  status,
} from '@grpc/grpc-js';

/** A call that passes through the proxy. */
export interface ProxiedCall {
  /** The last part of its path, such as `Read`. */
  readonly method: string;
  /** Its first message, as sent. */
  readonly request: Buffer;
  readonly metadata: Metadata;
}

/** An error that a call is answered with. */
export interface Fault {
  readonly code: status;
  readonly details: string;
  /** The name of the exception, as the server gives it in the trailers. */
  readonly exception?: string;
  /** The name of a stream, which some exceptions have in the trailers. */
  readonly stream?: string;
}

/** What the proxy does to calls; each may be changed at any time. */
export interface Faults {
  /** Answers a call with an error before the server sees it; null lets it pass. */
  refuse: (call: ProxiedCall) => Fault | null;
  /** Lets the server do the work, then answers with an error; null gives the server's answer. */
  lose: (call: ProxiedCall) => Fault | null;
  /** Replaces a message of the server by other messages. */
  rewrite: (method: string, message: Buffer) => ReadonlyArray<Buffer>;
}

const asSent = (message: Buffer): Buffer => message;

type Methods = Readonly<Record<string, Pick<MethodDefinition<never, never>, 'path'>>>;

const rawOf = (methods: Methods) =>
  Object.fromEntries(
    Object.entries(methods).map(([name, { path }]) => [
      name,
      {
        path,
        requestStream: true,
        responseStream: true,
        requestSerialize: asSent,
        requestDeserialize: asSent,
        responseSerialize: asSent,
        responseDeserialize: asSent,
      } as const,
    ]),
  );

const errorOf = ({ code, details, exception, stream }: Fault) => {
  const metadata = new Metadata();
  if (exception !== undefined) metadata.set('exception', exception);
  if (stream !== undefined) metadata.set('stream-name', stream);
  return Object.assign(new Error(details), { code, details, metadata });
};

const forwarding =
  (upstream: Client, path: string, faults: Faults, seen: ProxiedCall[], cancelled: string[]) =>
  (call: ServerDuplexStream<Buffer, Buffer>): void => {
    const method = path.split('/').at(-1) ?? '';
    let fault: Fault | null = null;
    const metadata = call.metadata.clone();
    const sent = upstream.makeBidiStreamRequest(path, asSent, asSent, metadata);
    let isFirst = true;
    call.on('data', (request: Buffer) => {
      if (isFirst) {
        isFirst = false;
        const proxied = { method, request, metadata };
        seen.push(proxied);
        const refusal = faults.refuse(proxied);
        fault = refusal ?? faults.lose(proxied);
        if (refusal !== null) {
          sent.cancel();
          return;
        }
      }
      sent.write(request);
    });
    call.on('end', () => sent.end());
    call.on('cancelled', () => {
      cancelled.push(method);
      sent.cancel();
    });
    sent.on('data', (message: Buffer) => {
      if (fault === null) for (const rewritten of faults.rewrite(method, message)) call.write(rewritten);
    });
    sent.on('error', () => undefined);
    sent.on('status', ({ code, details, metadata: trailers }: StatusObject) => {
      if (fault !== null) call.emit('error', errorOf(fault));
      else if (code === status.OK) call.end();
      else call.emit('error', Object.assign(new Error(details), { code, details, metadata: trailers }));
    });
  };

export interface FaultProxy {
  readonly url: string;
  readonly port: number;
  readonly faults: Faults;
  /** All calls until now. */
  readonly calls: ReadonlyArray<ProxiedCall>;
  /** The methods of the calls that the client cancelled. */
  readonly cancelled: ReadonlyArray<string>;
  readonly stop: () => Promise<void>;
}

/** A proxy for an EventStoreDB server without TLS. It forwards all calls except for the given faults. */
export const startFaultProxy = async (port_of_server: number, given: Partial<Faults> = {}): Promise<FaultProxy> => {
  const faults: Faults = { refuse: () => null, lose: () => null, rewrite: (_, message) => [message], ...given };
  const seen: ProxiedCall[] = [];
  const cancelled: string[] = [];
  const upstream = new Client(`localhost:${port_of_server}`, credentials.createInsecure());
  const server = new Server({ 'grpc.max_receive_message_length': -1 });
  for (const methods of [StreamsService, ServerFeaturesService, GossipService]) {
    const definition = rawOf(methods);
    const calls: Record<string, ReturnType<typeof forwarding>> = {};
    for (const [name, { path }] of Object.entries(definition))
      calls[name] = forwarding(upstream, path, faults, seen, cancelled);
    server.addService(definition, calls);
  }
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('localhost:0', ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  return {
    url: `esdb://localhost:${port}?tls=false`,
    port,
    faults,
    calls: seen,
    cancelled,
    stop: async () => {
      server.forceShutdown();
      upstream.close();
    },
  };
};
