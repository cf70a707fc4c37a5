import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request as it arrived. */
export interface Arrived {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  /** Milliseconds of the clock of `performance`. */
  readonly at: number;
}

/** A server on the loopback address that a test answers for. */
export interface LocalServer {
  readonly url: string;
  /** The sockets that were opened to it. */
  readonly sockets: ReadonlyArray<Socket>;
  readonly close: () => Promise<void>;
}

/** Starts one on a port, or a free one; requests that `serve` throws at are answered 400. */
export const startLocalServer = async (
  serve: (request: Arrived, response: ServerResponse) => unknown,
  port = 0,
): Promise<LocalServer> => {
  const sockets: Socket[] = [];
  const server = createServer((request, response) => {
    const { method = '', url = '', headers } = request;
    text(request)
      .then((body) => serve({ method, url, headers, body, at: performance.now() }, response))
      .catch((error: unknown) => response.writeHead(400).end(String(error)));
  });
  server.on('connection', (socket) => sockets.push(socket)).listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('the server has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    sockets,
    close: async () => {
      if (!server.listening) return;
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
};
