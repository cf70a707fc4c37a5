import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import { type Socket, createServer as createSocketServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { type ModelRequest, readModelRequest } from './model-request.js';
import { type Behaviour, findsIntroductions } from './behaviours.js';

/** A server that imitates a chat completions endpoint. */
export interface ScriptedModel {
  /** Its base address, for `NAME_MODEL_URL`. */
  readonly url: string;
  /** Every request that reached it. */
  readonly requests: ReadonlyArray<ModelRequest>;
  /** The sockets that were opened to it. */
  readonly sockets: ReadonlyArray<Socket>;
  /** Sets the behaviour for each of the next requests; the last one applies to all further requests. */
  readonly play: (...behaviours: ReadonlyArray<Behaviour>) => void;
  readonly close: () => Promise<void>;
}

const listening = (server: Server | ReturnType<typeof createSocketServer>, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.on('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      if (address !== null && typeof address === 'object') resolve(address.port);
    });
  });

/** Starts a model that finds introductions until `play` sets other behaviours. */
export const startScriptedModel = async (port = 0): Promise<ScriptedModel> => {
  const requests: Array<ModelRequest> = [];
  const sockets: Array<Socket> = [];
  let script: ReadonlyArray<Behaviour> = [findsIntroductions];
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request);
    const received = readModelRequest(request.method ?? '', request.url ?? '', request.headers, body);
    requests.push(received);
    const [behaviour = findsIntroductions, ...rest] = script;
    if (rest.length > 0) script = rest;
    behaviour(received, response);
  };
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.writeHead(400).end(String(error)));
  });
  server.on('connection', (socket) => sockets.push(socket));
  const taken = await listening(server, port);
  return {
    url: `http://127.0.0.1:${taken}/v1`,
    requests,
    sockets,
    play: (...behaviours) => {
      script = behaviours;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

/** A port that nobody listens on. */
export const unusedPort = async (): Promise<number> => {
  const server = createSocketServer();
  const port = await listening(server, 0);
  await new Promise((resolve) => server.close(resolve));
  return port;
};
