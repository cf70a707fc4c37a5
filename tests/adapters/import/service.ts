import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request received by the stand-in for the service. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly key: string | string[] | undefined;
  readonly body: unknown;
}

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

const mayAll: Answer = { status: 200, body: { admin: true, permissions: [] } };

/**
 * A stand-in for the service: answers by `METHOD path`, everything else with 404, and records the requests. `GET /v1/me`
 * returns all permissions unless others are given, and is not recorded.
 */
export interface StandIn {
  readonly url: string;
  readonly received: ReadonlyArray<Received>;
  readonly close: () => Promise<void>;
}

const bodyOf = async (request: IncomingMessage): Promise<unknown> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) if (chunk instanceof Uint8Array) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  return text === '' ? null : JSON.parse(text);
};

const isAddress = (address: string | AddressInfo | null): address is AddressInfo =>
  address !== null && typeof address !== 'string';

export const standIn = async (answers: Readonly<Record<string, Answer>>): Promise<StandIn> => {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      const { method = '', url: path = '', headers } = request;
      if (path !== '/v1/me') received.push({ method, path, key: headers['x-api-key'], body });
      const usual = path === '/v1/me' ? mayAll : { status: 404, body: { detail: 'not found' } };
      const answer = answers[`${method} ${path}`] ?? usual;
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body));
    });
  });
  await new Promise<void>((listening) => {
    server.listen(0, '127.0.0.1', listening);
  });
  const address = server.address();
  if (!isAddress(address)) throw new Error('the server has no port');
  const close = (): Promise<void> =>
    new Promise((closed) => {
      server.close(() => closed());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${address.port}`, received, close };
};
