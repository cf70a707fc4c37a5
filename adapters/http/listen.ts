import { type IncomingMessage, type RequestListener, type Server, createServer } from 'node:http';
import { type AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type AwaitedLimits, type AwaitedRequests, awaitedRequests, usualAwaited } from './awaited-requests.js';
import { refuseBrokenRequest } from './broken-request.js';
import { afterAnswers, declineUpgrade } from './decline-upgrade.js';
import { connectionAccepted } from '../runtime/event-loop.js';
import { type HttpError, coded } from './http-error.js';
import { type OpenConnections, openConnections } from './open-connections.js';
import { endWith } from './raw-answer.js';
import { idOfRequest } from './request-id.js';

export interface Listening {
  readonly url: string;
  /** Accepts no more, lets requests under way finish for so many milliseconds, then cuts them off. */
  readonly close: (patience_ms: number) => Promise<void>;
}

const isAddressInfo = (address: AddressInfo | string | null): address is AddressInfo =>
  typeof address === 'object' && address !== null;

const urlOf = (host: string, port: number): string => `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

/** How often a closing server lets go of connections whose last request has been answered. */
const sweep_ms = 50;

/** Answers a handshake with an error instead. */
type RefuseUpgrade = (status: number, code: string, message: string, headers?: HttpError['headers']) => void;

interface Handshake {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
  readonly request_id: string;
  readonly refuse: RefuseUpgrade;
}

/** Takes a connection over that asks to become a WebSocket; null where it may not. */
export type Upgrade = (path: string) => ((handshake: Handshake) => void) | null;

const isWebSocket = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket';

const pathOf = ({ url = '' }: IncomingMessage): string => (url.split('?', 1)[0] ?? '').replace(/(?<=.)\/$/, '');

const handshakeOf = (request: IncomingMessage, socket: Duplex, head: Buffer): Handshake => {
  const request_id = idOfRequest(request);
  const refuse: RefuseUpgrade = (status, code, message, headers = {}) =>
    endWith(socket, { ...coded(status, code, message), headers }, request_id);
  return { request, socket, head, request_id, refuse };
};

/** Time limits of connections, in milliseconds. */
export interface TimeLimits {
  /** For the headers of a request to arrive. */
  readonly headers_ms: number;
  /** For a whole request to arrive. */
  readonly request_ms: number;
  /** How long a client may take nothing of an answer that is waiting for it. */
  readonly stalled_ms: number;
  /** How long the rest of a request that was answered before it had arrived is read and dropped. */
  readonly rest_ms: number;
  /** How often the limits are looked at. */
  readonly check_ms: number;
}

/** Connections that may wait to be accepted; the system takes fewer where it allows fewer. */
const backlog = 4_096;

const usualLimits: TimeLimits = {
  headers_ms: 60_000,
  request_ms: 300_000,
  stalled_ms: 30_000,
  rest_ms: 5_000,
  check_ms: 5_000,
};

/** So many requests may be unanswered on one connection; a client that sends more behind them is cut off. */
const mostUnanswered = 200;

/**
 * Serves the requests of a connection one after the other: their answers have to go in that order anyway, and what one
 * connection asks for is never all at work at once.
 */
const oneByOne = (listener: RequestListener, awaited: AwaitedRequests): RequestListener => {
  const lines = new WeakMap<Socket, Array<() => void>>();
  return (request, response) => {
    const { socket } = request;
    awaited.awaitsNone(socket);
    /* What it had sent before it was cut off is read to its end. */
    if (socket.destroyed) return;
    const line = lines.get(socket) ?? [];
    lines.set(socket, line);
    if (line.length === mostUnanswered) return void socket.destroy();
    const begin = (): void => {
      if (!socket.destroyed) listener(request, response);
    };
    line.push(begin);
    awaited.bodyBegins(request);
    response.once('close', () => {
      awaited.answered(request);
      line.shift();
      line[0]?.();
      if (line.length === 0 && !socket.destroyed) awaited.awaits(socket);
    });
    if (line.length === 1) begin();
  };
};

/** Serves requests; a connection is ended when what is left of an answered request does not come to its end. */
const withRest =
  (listener: RequestListener, rest_ms: number): RequestListener =>
  (request, response) => {
    response.once('finish', () => {
      if (request.complete) return;
      const cutOff = setTimeout(() => request.complete || request.socket.destroy(), rest_ms);
      request.once('close', () => clearTimeout(cutOff));
    });
    return listener(request, response);
  };

const createListener = (
  listener: RequestListener,
  upgradeOf: Upgrade,
  limits: TimeLimits,
  awaited: AwaitedRequests,
): Server => {
  const options = {
    keepAliveTimeout: 65_000,
    headersTimeout: limits.headers_ms,
    requestTimeout: limits.request_ms,
    connectionsCheckingInterval: limits.check_ms,
    // Node would refuse a request without a host, or with an expectation, in a form and without the id of ours.
    requireHostHeader: false,
  };
  const serve = withRest(oneByOne(listener, awaited), limits.rest_ms);
  const server = createServer(options, serve);
  server.on('checkExpectation', serve);
  // A client that waits to be told to go on is told so only once its body is wanted.
  server.on('checkContinue', serve);
  server.on('connection', (socket) => {
    connectionAccepted();
    awaited.awaits(socket);
  });
  server.on('clientError', refuseBrokenRequest);
  server.on('upgrade', (request, socket, head) => {
    if (!(socket instanceof Socket)) return void socket.destroy();
    awaited.awaitsNone(socket);
    /* Node has taken its own listener away: without one a client that breaks off would end the service. */
    const breakOff = (): void => void socket.destroy();
    socket.on('error', breakOff);
    return afterAnswers(socket, () => {
      const upgrade = isWebSocket(request) ? upgradeOf(pathOf(request)) : null;
      if (upgrade !== null) return upgrade(handshakeOf(request, socket, head));
      socket.off('error', breakOff);
      return declineUpgrade(server, request, socket, head);
    });
  });
  return server;
};

/** Accepts no more, and ends each connection once nothing is under way on it, at last all of them. */
const closeServer = (server: Server, connections: OpenConnections, patience_ms: number): Promise<void> =>
  new Promise((closed) => {
    const cutOff = setTimeout(connections.closeAll, patience_ms);
    const letGo = (): void => {
      server.closeIdleConnections();
      connections.closeSilent();
    };
    const sweep = setInterval(letGo, sweep_ms);
    server.close(() => {
      clearTimeout(cutOff);
      clearInterval(sweep);
      closed();
    });
    letGo();
  });

/**
 * Serves requests on a host and port; rejects when the port cannot be had. A request that asks for another protocol
 * than a WebSocket, or for one where there is none, is served as if it had not asked.
 */
export const listen = (
  listener: RequestListener,
  upgradeOf: Upgrade,
  host: string,
  port: number,
  limits: TimeLimits = usualLimits,
  awaitedLimits: AwaitedLimits = usualAwaited,
): Promise<Listening> =>
  new Promise((resolve, reject) => {
    const awaited = awaitedRequests(awaitedLimits);
    const server = createListener(listener, upgradeOf, limits, awaited);
    server.once('error', reject);
    const connections = openConnections(server, limits.stalled_ms, limits.check_ms, awaited.awaitsNone);
    server.listen({ port, host, backlog }, () => {
      server.off('error', reject);
      const address = server.address();
      resolve({
        url: urlOf(host, isAddressInfo(address) ? address.port : port),
        close: (patience_ms) => closeServer(server, connections, patience_ms),
      });
    });
  });
