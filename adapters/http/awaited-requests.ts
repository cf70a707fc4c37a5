import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { refuseSlowBody } from './broken-request.js';
import { silentConnections } from './silent-connections.js';

/** How many connections may wait for their client. */
export interface AwaitedLimits {
  /** For a request: silent ones, those that had their answer, and those in the middle of the headers. */
  readonly requests: number;
  /** For more of the body of a request. */
  readonly bodies: number;
  /** How long a client that has just connected, or had its answer, may take before its connection is ended for that. */
  readonly silence_ms: number;
}

export const usualAwaited: AwaitedLimits = { requests: 1_000, bodies: 500, silence_ms: 2_000 };

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

/** Up to so many times the limit those are left alone that have not waited for long: their clients may be busy. */
const inBursts = 4;

/** So many are ended, or looked at for it, in one turn. */
const mostInTurn = 32;

/** What had come on the connection of a body, in bytes, and since when it was so, in milliseconds of the process. */
interface Seen {
  readonly bytes: number;
  readonly since: number;
}

/** Nothing more of a body comes for so many milliseconds before its connection may be ended. */
const patience = 500;
/** How long it takes until what cannot be ended yet is looked at again, in milliseconds. */
const lookAgain = 100;

/** Whether it is the client that sends nothing, and not the service that reads nothing. */
const isAwaited = ({ readableFlowing, socket }: IncomingMessage): boolean =>
  readableFlowing === true && !socket.isPaused();

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Those that wait for more of a body. */
const openBodies = (most: number) => {
  const bodies = new Map<IncomingMessage, Seen>();
  const isOver = (times = 1): boolean => bodies.size > times * most;
  return {
    add: (request: IncomingMessage): void =>
      void bodies.set(request, { bytes: request.socket.bytesRead, since: performance.now() }),
    remove: (request: IncomingMessage): void => void bodies.delete(request),
    isOver,
    /** Ends those of a few of which nothing comes, and tells whether there were any. */
    bound: (): boolean => {
      const [now, mayWait] = [performance.now(), isOver(inBursts) ? 0 : patience];
      let ended = false;
      for (const [request, seen] of [...bodies].slice(0, Math.min(bodies.size - most, mostInTurn))) {
        const { bytesRead: bytes } = request.socket;
        bodies.delete(request);
        if (request.complete) continue;
        const isSilent = isAwaited(request) && bytes === seen.bytes;
        const isOut = isSilent && now - seen.since >= mayWait;
        if (isOut) refuseSlowBody(request.socket);
        else bodies.set(request, isSilent ? seen : { bytes, since: now });
        ended ||= isOut;
      }
      return ended;
    },
  };
};

/**
 * Keeps the connections that wait for their client below a number. Beyond it the one that has waited longest is ended: of
 * those that wait for a request, one of the address that has the most, and only once it has waited for a while; in the
 * middle of a body, only one of which nothing has come for a while. Where thousands of connections break off at once, Node
 * tells each in the same turn of the event loop: this bounds that turn.
 */
export const awaitedRequests = (limits: AwaitedLimits): AwaitedRequests => {
  const requests = silentConnections(limits.requests, mostInTurn);
  const bodies = openBodies(limits.bodies);
  let isBounding = false;
  const bound = (): void => {
    isBounding = false;
    const patience_ms = requests.isOver(inBursts) ? 0 : limits.silence_ms;
    const ended = [requests.isOver() && requests.bound(patience_ms), bodies.isOver() && bodies.bound()];
    if (requests.isOver() || bodies.isOver()) boundSoon(ended.includes(true));
  };
  const boundSoon = (inNextTurn: boolean): void => {
    if (isBounding) return;
    isBounding = true;
    if (inNextTurn) setImmediate(bound);
    else setTimeout(bound, lookAgain);
  };
  return {
    awaits: (socket) => {
      requests.add(socket);
      if (requests.isOver()) boundSoon(true);
    },
    awaitsNone: requests.remove,
    bodyBegins: (request) => {
      if (!hasBody(request)) return;
      bodies.add(request);
      if (bodies.isOver()) boundSoon(true);
    },
    answered: bodies.remove,
  };
};
