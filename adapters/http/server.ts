import { randomUUID } from 'node:crypto';
import {
  type IncomingMessage,
  type RequestListener,
  STATUS_CODES,
  type Server,
  type ServerOptions,
  ServerResponse,
  createServer,
} from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type Handshake, serverUrl } from '../runtime/connections.js';
import { idOfRequest } from './request-head.js';
import { type HttpError, coded } from './refusals/refusal.js';

export interface Listening {
  readonly url: string;
  /** Stops accepting connections, and closes those that still have a request in progress after `graceMs`. */
  readonly close: (graceMs: number) => Promise<void>;
}

/** Node's own limits, in milliseconds. `timeout`: for a connection on which nothing is sent in either direction. */
export type ConnectionLimits = Pick<
  ServerOptions,
  'headersTimeout' | 'requestTimeout' | 'keepAliveTimeout' | 'connectionsCheckingInterval'
> &
  Pick<Server, 'timeout'>;

const defaultLimits: ConnectionLimits = {
  headersTimeout: 60_000,
  requestTimeout: 300_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 5_000,
  timeout: 300_000,
};

/** Connections that may wait to be accepted; the operating system may allow fewer. */
const backlog = 4_096;

/** How often a closing server closes idle connections, in milliseconds. */
const closeIdleMs = 50;

/** How long a refused client may keep its side of the connection open, in milliseconds. */
const lingerMs = 1_000;

/**
 * Writes an error answer to a connection that Node does not handle as HTTP, in the usual form, and closes it. Input is
 * discarded for a second more, so that the client can read the answer before the connection is cut.
 */
const endWithError = (
  socket: Duplex,
  { status, detail, headers = {} }: HttpError,
  request_id: string,
  withBody = true,
): void => {
  const body = JSON.stringify({ detail });
  const all = {
    Connection: 'close',
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    'X-Request-Id': request_id,
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  const cutOff = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => clearTimeout(cutOff));
  socket.resume();
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('\r\n')}\r\n\r\n${withBody ? body : ''}`,
  );
};

const codeOf = (error: Error): unknown => ('code' in error ? error.code : null);

const errorOf = (error: Error): HttpError => {
  switch (codeOf(error)) {
    case 'HPE_HEADER_OVERFLOW':
      return coded(431, 'headers_too_large', 'The request line and headers are too large');
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return coded(413, 'payload_too_large', 'The chunk extensions are too large');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return coded(408, 'request_timeout', 'The request was not received in time');
    default:
      return coded(400, 'bad_request', 'The request is not valid HTTP');
  }
};

/** The answer that a connection is sending. */
const currentAnswer = (socket: Duplex): ServerResponse | null => {
  const answer: unknown = '_httpMessage' in socket ? socket._httpMessage : null;
  return answer instanceof ServerResponse ? answer : null;
};

/** Whether what Node could not parse begins as a HEAD request, whose answer has no body. */
const isHead = (error: Error): boolean =>
  'rawPacket' in error && error.rawPacket instanceof Buffer && error.rawPacket.toString('latin1', 0, 5) === 'HEAD ';

/** Answers what Node could not parse as a request in the usual form of errors, and closes the connection. */
const refuseBrokenRequest = (error: Error, socket: Duplex): void => {
  // What follows a broken request causes errors too; only the first is answered.
  if (socket.writableEnded) return;
  // An error written now would end up inside the answer that is being sent.
  const isAnswering = currentAnswer(socket)?.headersSent === true;
  if (!socket.writable || codeOf(error) === 'ECONNRESET' || isAnswering) return void socket.destroy();
  endWithError(socket, errorOf(error), randomUUID(), !isHead(error));
};

/** The handler of WebSocket handshakes on a path; null if the path has none. */
export type Upgrade = (path: string) => ((handshake: Handshake) => void) | null;

const pathOf = ({ url = '' }: IncomingMessage): string => (url.split('?', 1)[0] ?? '').replace(/(?<=.)\/$/, '');

/** The handler of a WebSocket handshake; null if this is none, or its path has no handler. */
const handlerOf = (upgradeOf: Upgrade, request: IncomingMessage): ReturnType<Upgrade> =>
  request.method === 'GET' && request.headers.upgrade?.toLowerCase() === 'websocket'
    ? upgradeOf(pathOf(request))
    : null;

/** The request line and headers as received, without the protocol that the request asks for. */
const headWithoutUpgrade = ({ method = '', url = '', httpVersion, rawHeaders }: IncomingMessage): Buffer => {
  const lines = rawHeaders.flatMap((name, at) =>
    at % 2 === 0 && name.toLowerCase() !== 'upgrade' ? [`${name}: ${rawHeaders[at + 1] ?? ''}\r\n`] : [],
  );
  return Buffer.from(`${method} ${url} HTTP/${httpVersion}\r\n${lines.join('')}\r\n`, 'latin1');
};

/**
 * Handles a request as if it had not asked for another protocol, as RFC 9110, section 7.8, allows: some clients ask for
 * HTTP/2 without encryption in every request. Node no longer reads the connection as HTTP, so it is given back to the server
 * with the request in front. Node itself would lose the requests that follow in the same packet.
 */
const declineUpgrade = (server: Server, request: IncomingMessage, socket: Socket, head: Buffer): void => {
  socket.setTimeout(0);
  socket.unshift(Buffer.concat([headWithoutUpgrade(request), head]));
  server.emit('connection', socket);
};

/** Calls back once the earlier requests are answered; until then nothing is read from the connection. */
const afterAnswers = (socket: Socket, next: () => void): void => {
  const answer = currentAnswer(socket);
  if (answer !== null) answer.once('close', () => afterAnswers(socket, next));
  else if (socket.writable) next();
  else socket.destroy();
};

/** Hands WebSocket handshakes to their handlers, and handles other upgrades as plain requests. */
const serveUpgrades = (server: Server, upgradeOf: Upgrade): void => {
  server.on('upgrade', (request, socket, head) => {
    if (!(socket instanceof Socket)) return void socket.destroy();
    // Node has removed its own listener: without one, a client that disconnects would end the process.
    const onError = (): void => void socket.destroy();
    socket.on('error', onError);
    return afterAnswers(socket, () => {
      const upgrade = handlerOf(upgradeOf, request);
      if (upgrade === null) {
        socket.off('error', onError);
        return declineUpgrade(server, request, socket, head);
      }
      const request_id = idOfRequest(request);
      return upgrade({
        request,
        socket,
        head,
        request_id,
        refuse: (status, code, message, headers = {}) =>
          endWithError(socket, { ...coded(status, code, message), headers }, request_id),
      });
    });
  });
};

const closeServer = (server: Server, open: ReadonlySet<Socket>, graceMs: number): Promise<void> =>
  new Promise((closed) => {
    const cutOff = setTimeout(() => open.forEach((socket) => socket.destroy()), graceMs);
    const closeIdle = (): void => {
      server.closeIdleConnections();
      // Node does not count those as idle on which nothing was sent yet.
      open.forEach((socket) => socket.bytesRead === 0 && socket.destroy());
    };
    const repeat = setInterval(closeIdle, closeIdleMs);
    server.close(() => {
      clearTimeout(cutOff);
      clearInterval(repeat);
      closed();
    });
    closeIdle();
  });

/**
 * Ends the answers that wait behind another on a connection that has closed: Node emits `close` only for the first, and who
 * counts requests or feeds an answer would wait for ever.
 */
const endingAnswers =
  (listener: RequestListener): RequestListener =>
  (request, response) => {
    const { socket } = request;
    const end = (): void => {
      if (response.socket !== null) return;
      response.destroy();
      response.emit('close');
    };
    // A client may send many requests at once.
    socket.setMaxListeners(0);
    socket.once('close', end);
    response.once('close', () => socket.off('close', end));
    listener(request, response);
  };

/** Serves requests on a host and port (0: any free port). Rejects if the port is not available. */
export const listen = (
  onRequest: RequestListener,
  upgradeOf: Upgrade,
  host: string,
  port: number,
  { timeout, ...limits }: ConnectionLimits = defaultLimits,
): Promise<Listening> =>
  new Promise((resolve, reject) => {
    const listener = endingAnswers(onRequest);
    // The service refuses a missing Host itself: Node's answer has no JSON body and no request id.
    const server = createServer({ ...limits, requireHostHeader: false }, listener);
    server.timeout = timeout;
    // Their size is limited. Node would drop those beyond the 2,000th, from a request that is read again too.
    server.maxHeadersCount = 0;
    server.on('checkExpectation', listener);
    // `100 Continue` is sent only when the body is wanted.
    server.on('checkContinue', listener);
    server.on('clientError', refuseBrokenRequest);
    serveUpgrades(server, upgradeOf);
    // With those that were upgraded, which Node no longer knows. A declined upgrade emits its connection again.
    const open = new Set<Socket>();
    server.on('connection', (socket) => {
      if (!open.has(socket)) socket.once('close', () => open.delete(socket));
      open.add(socket);
    });
    server.once('error', reject);
    server.listen({ port, host, backlog }, () => {
      server.off('error', reject);
      resolve({ url: serverUrl(server, host, port), close: (graceMs) => closeServer(server, open, graceMs) });
    });
  });
