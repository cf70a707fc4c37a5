import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import { type Socket, createServer as createSocketServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { type Asked, readAsked } from './asked.js';
import { type Behaviour, hearsIntroductions } from './behaviours.js';

/** A server that plays a chat completions endpoint. */
export interface PlayingModel {
  /** Its base address, for `NAME_MODEL_URL`. */
  readonly url: string;
  /** Every request that reached it. */
  readonly asked: ReadonlyArray<Asked>;
  /** The sockets that were opened to it. */
  readonly sockets: ReadonlyArray<Socket>;
  /** What it does from now on: one behaviour a request, the last one for all that follow. */
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

/** Starts one that hears introductions until it is told to play something else. */
export const startPlayingModel = async (port = 0): Promise<PlayingModel> => {
  const asked: Array<Asked> = [];
  const sockets: Array<Socket> = [];
  let script: ReadonlyArray<Behaviour> = [hearsIntroductions];
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request);
    const heard = readAsked(request.method ?? '', request.url ?? '', request.headers, body);
    asked.push(heard);
    const [behaviour = hearsIntroductions, ...rest] = script;
    if (rest.length > 0) script = rest;
    behaviour(heard, response);
  };
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => response.writeHead(400).end(String(error)));
  });
  server.on('connection', (socket) => sockets.push(socket));
  const taken = await listening(server, port);
  return {
    url: `http://127.0.0.1:${taken}/v1`,
    asked,
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
export const refusedPort = async (): Promise<number> => {
  const server = createSocketServer();
  const port = await listening(server, 0);
  await new Promise((resolve) => server.close(resolve));
  return port;
};
