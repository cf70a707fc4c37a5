import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { refuseSlowBody } from './broken-request.js';

/** How many connections may wait for their client. */
export interface AwaitedLimits {
  /** For a request: silent ones, those that had their answer, and those in the middle of the headers. */
  readonly requests: number;
  /** For more of the body of a request. */
  readonly bodies: number;
}

export const usualAwaited: AwaitedLimits = { requests: 1_000, bodies: 500 };

/** The connections of a server that wait for their client. */
export interface AwaitedRequests {
  /** A request is awaited on this connection, from now on. */
  readonly awaits: (socket: Socket) => void;
  /** None is, for one has begun, or the connection has ended, or speaks another protocol now. */
  readonly awaitsNone: (socket: Socket) => void;
  /** The headers of a request have arrived, but not all of its body. */
  readonly bodyBegins: (request: IncomingMessage) => void;
  /** The request is answered, whatever of it has arrived. */
  readonly answered: (request: IncomingMessage) => void;
}

/** So many are looked at for one that may be ended, so that each request costs the same however many there are. */
const mostLookedAt = 8;

/** Whether it is the client that sends nothing, and not the service that reads nothing. */
const isSilent = ({ readableFlowing, socket }: IncomingMessage, bytesBefore: number): boolean =>
  readableFlowing === true && !socket.isPaused() && socket.bytesRead === bytesBefore;

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Connections by where they come from, each in the order in which it began to wait. */
const byAddress = () => {
  const crowds = new Map<string, Set<Socket>>();
  const addressOf = new WeakMap<Socket, string>();
  let size = 0;
  const remove = (socket: Socket): void => {
    const address = addressOf.get(socket) ?? '';
    const crowd = crowds.get(address);
    if (crowd?.delete(socket) !== true) return;
    size -= 1;
    if (crowd.size === 0) crowds.delete(address);
  };
  return {
    size: () => size,
    add: (socket: Socket): void => {
      remove(socket);
      const address = addressOf.get(socket) ?? socket.remoteAddress ?? '';
      addressOf.set(socket, address);
      crowds.set(address, (crowds.get(address) ?? new Set()).add(socket));
      size += 1;
    },
    remove,
    /** The oldest of the address that has the most. */
    oldest: (): Socket | undefined => {
      let largest = new Set<Socket>();
      for (const crowd of crowds.values()) if (crowd.size > largest.size) largest = crowd;
      return largest.values().next().value;
    },
  };
};

/**
 * Keeps the connections that wait for their client below a number. Beyond it the one that has waited longest is ended: of
 * those that wait for a request, one of the address that has the most; in the middle of a body, only one of which nothing
 * came since it was last looked at. Where thousands of connections break off at once, Node tells each in the same turn of
 * the event loop: this bounds that turn.
 */
export const awaitedRequests = (limits: AwaitedLimits): AwaitedRequests => {
  const sockets = byAddress();
  /** With the bytes that had come on the connection of each when it was last looked at. */
  const bodies = new Map<IncomingMessage, number>();

  const boundBodies = (): void => {
    const most = Math.min(bodies.size, mostLookedAt);
    for (let looked = 0; looked < most && bodies.size > limits.bodies; looked += 1) {
      const [oldest] = bodies;
      if (oldest === undefined) return;
      const [request, bytesBefore] = oldest;
      bodies.delete(request);
      if (request.complete) continue;
      if (isSilent(request, bytesBefore)) refuseSlowBody(request.socket);
      else bodies.set(request, request.socket.bytesRead);
    }
  };
  return {
    awaits: (socket) => {
      sockets.add(socket);
      if (sockets.size() <= limits.requests) return;
      const oldest = sockets.oldest();
      if (oldest === undefined) return;
      sockets.remove(oldest);
      oldest.destroy();
    },
    awaitsNone: sockets.remove,
    bodyBegins: (request) => {
      if (!hasBody(request)) return;
      bodies.set(request, -1);
      boundBodies();
    },
    answered: (request) => void bodies.delete(request),
  };
};
