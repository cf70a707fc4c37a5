import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as it arrived. */
export interface Arrived {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly at: number;
}

/** How a server misbehaves on a request. */
export type Misdeed = (response: ServerResponse, arrived: Arrived) => void;

const json = { 'Content-Type': 'application/json', 'X-Request-Id': 'a-request' };

export const answers =
  (status: number, body: unknown, headers: Record<string, string> = {}): Misdeed =>
  (response) =>
    void response
      .writeHead(status, { ...json, ...headers })
      .end(typeof body === 'string' ? body : JSON.stringify(body));

export const hangs: Misdeed = () => undefined;
/** Sends the head and a part of the body, and nothing more. */
export const hangsMidway: Misdeed = (response) =>
  void response.writeHead(200, { ...json, 'Content-Length': '100' }).write('{"status":');
export const cutsOff: Misdeed = (response) => {
  response.writeHead(200, { ...json, 'Content-Length': '100' }).write('{"status":');
  setTimeout(() => response.destroy(), 10);
};
export const cutsOffChunks: Misdeed = (response) => {
  response.writeHead(200, json).write('{"status":');
  setTimeout(() => response.destroy(), 10);
};
export const closes: Misdeed = (response) => void response.destroy();

export interface Misbehaving {
  readonly url: string;
  readonly arrived: ReadonlyArray<Arrived>;
  /** Sets the behaviour for each of the next requests; the last one applies to all further requests. */
  readonly plays: (...deeds: ReadonlyArray<Misdeed>) => void;
  readonly close: () => Promise<void>;
}

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  let body = '';
  for await (const part of request.setEncoding('utf8')) body += String(part);
  return body;
};

/** A server on a free port with a configurable behaviour for each request. */
export const misbehavingServer = async (): Promise<Misbehaving> => {
  let deeds: Misdeed[] = [];
  const arrived: Arrived[] = [];
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      const { method = '', url = '', headers } = request;
      const one = { method, url, headers, body, at: performance.now() };
      arrived.push(one);
      const deed = deeds.length > 1 ? deeds.shift() : deeds[0];
      return deed?.(response, one);
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const isAddress = (address: AddressInfo | string | null): address is AddressInfo => typeof address === 'object';
  const address = server.address();
  return {
    url: `http://127.0.0.1:${isAddress(address) ? address.port : 0}`,
    arrived,
    plays: (...next) => {
      deeds = [...next];
      arrived.length = 0;
    },
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
};
