import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { quietMs, sinceConnection } from '../runtime/event-loop.js';
import { hasBody } from './headers.js';
import { refuseSlowBody } from './raw-answers.js';

/** How many connections may wait for their client. Beyond that, some are closed. */
export interface WaitingLimits {
  /** Idle connections: the next request has not begun, or its headers are incomplete. */
  readonly maxIdle: number;
  /** Connections whose request body is incomplete. */
  readonly maxIncompleteBodies: number;
  /** An idle connection is closed only after this time in milliseconds, unless there are far too many. */
  readonly minIdleMs: number;
}

export const defaultWaitingLimits: WaitingLimits = { maxIdle: 1_000, maxIncompleteBodies: 500, minIdleMs: 2_000 };

/** Bursts of up to this many times the limit are tolerated for a short time: the clients may be busy. */
const burstFactor = 4;
/** At most this many connections are closed, or examined for it, in one turn of the event loop. */
const maxPerTurn = 16;
/** A connection is closed only if no byte of the body has arrived for this time, in milliseconds. */
const minBodyStallMs = 500;
/** Pause before the connections are examined again if none could be closed yet, in milliseconds. */
const recheckMs = 100;

/** When a connection became idle, in milliseconds of the process, and its remote address. */
interface IdleConnection {
  readonly since: number;
  readonly address: string;
}

/**
 * The idle connections of a server. They are indexed by address, since going through thousands of them in each turn of the
 * event loop would delay requests.
 */
const idleConnections = (maxIdle: number) => {
  const connections = new Map<Socket, IdleConnection>();
  const byAddress = new Map<string, Set<Socket>>();
  const remove = (socket: Socket): void => {
    const connection = connections.get(socket);
    if (connection === undefined) return;
    connections.delete(socket);
    const ofAddress = byAddress.get(connection.address);
    ofAddress?.delete(socket);
    if (ofAddress?.size === 0) byAddress.delete(connection.address);
  };
  /** The oldest connections of the address that has the most, until it has no more than the second address. */
  const oldestOfLargest = (maxCount: number, idleBefore: number): ReadonlyArray<Socket> => {
    let largest: ReadonlySet<Socket> = new Set();
    let secondSize = 0;
    for (const ofAddress of byAddress.values()) {
      secondSize = Math.max(secondSize, Math.min(ofAddress.size, largest.size));
      if (ofAddress.size > largest.size) largest = ofAddress;
    }
    const count = Math.max(1, Math.min(maxCount, largest.size - secondSize));
    const oldest: Socket[] = [];
    for (const socket of largest) {
      if (oldest.length === count || (connections.get(socket)?.since ?? idleBefore) > idleBefore) break;
      oldest.push(socket);
    }
    return oldest;
  };
  return {
    add: (socket: Socket): void => {
      remove(socket);
      const address = socket.remoteAddress ?? '';
      connections.set(socket, { since: performance.now(), address });
      byAddress.set(address, (byAddress.get(address) ?? new Set()).add(socket));
    },
    remove,
    isOver: (factor = 1): boolean => connections.size > factor * maxIdle,
    /** Closes some of the connections beyond the limit that have been idle for `minIdleMs`. Returns whether it closed any. */
    closeSome: (minIdleMs: number): boolean => {
      const count = Math.min(connections.size - maxIdle, maxPerTurn);
      const sockets = oldestOfLargest(count, performance.now() - minIdleMs);
      for (const socket of sockets) {
        remove(socket);
        socket.destroy();
      }
      return sockets.length > 0;
    },
  };
};

/** How many bytes a connection had received, and since when, in milliseconds of the process. */
interface Progress {
  readonly bytes: number;
  readonly since: number;
}

/** Whether the client sends nothing, as opposed to the service not reading. */
const isWaitingForClient = ({ readableFlowing, socket }: IncomingMessage): boolean =>
  readableFlowing === true && !socket.isPaused();

/** The same for a request that has not started: Node receives the first part of its body, and no more. */
const isWaitingBeforeStart = ({ headers, readableLength, readableHighWaterMark }: IncomingMessage): boolean =>
  headers.expect === undefined && readableLength < readableHighWaterMark;

/** The requests whose body is incomplete. */
const incompleteBodies = (maxIncomplete: number, isHeld: (request: IncomingMessage) => boolean) => {
  const bodies = new Map<IncomingMessage, Progress>();
  const isOver = (factor = 1): boolean => bodies.size > factor * maxIncomplete;
  const oldest = (count: number): ReadonlyArray<readonly [IncomingMessage, Progress]> => {
    const found: Array<readonly [IncomingMessage, Progress]> = [];
    for (const entry of bodies) {
      if (found.length === count) break;
      found.push(entry);
    }
    return found;
  };
  return {
    add: (request: IncomingMessage): void =>
      void bodies.set(request, { bytes: request.socket.bytesRead, since: performance.now() }),
    remove: (request: IncomingMessage): void => void bodies.delete(request),
    isOver,
    /** Examines some of the oldest, and ends those that have stalled. Returns whether it ended any. */
    closeSome: (): boolean => {
      const [now, minStallMs] = [performance.now(), isOver(burstFactor) ? 0 : minBodyStallMs];
      let closedAny = false;
      for (const [request, progress] of oldest(Math.min(bodies.size - maxIncomplete, maxPerTurn))) {
        const { bytesRead: bytes } = request.socket;
        bodies.delete(request);
        if (request.complete) continue;
        const isWaiting = isHeld(request) ? isWaitingBeforeStart(request) : isWaitingForClient(request);
        const isStalled = isWaiting && bytes === progress.bytes;
        const isExpired = isStalled && now - progress.since >= minStallMs;
        if (isExpired) refuseSlowBody(request.socket);
        else bodies.set(request, isStalled ? progress : { bytes, since: now });
        closedAny ||= isExpired;
      }
      return closedAny;
    },
  };
};

/** Keeps track of the connections of a server that wait for their client. */
export interface WaitingConnections {
  /** The connection is idle from now on: its next request is awaited. */
  readonly becameIdle: (socket: Socket) => void;
  /** The connection is no longer idle: a request has begun, or it was closed or upgraded. */
  readonly becameBusy: (socket: Socket) => void;
  /** The headers of a request have arrived; its body may be incomplete. */
  readonly requestBegan: (request: IncomingMessage) => void;
  /** The request is answered, whether or not its body is complete. */
  readonly requestEnded: (request: IncomingMessage) => void;
}

/**
 * Limits the connections that wait for their client. Beyond the limits, connections are closed: idle ones of the address
 * that has the most, the longest idle first; and those whose body has stalled. If thousands of connections break at once,
 * Node reports all of them in the same turn of the event loop: the limits bound the length of that turn. `isHeld` tells
 * which requests have not started.
 */
export const limitWaitingConnections = (
  limits: WaitingLimits,
  isHeld: (request: IncomingMessage) => boolean,
): WaitingConnections => {
  const idle = idleConnections(limits.maxIdle);
  const bodies = incompleteBodies(limits.maxIncompleteBodies, isHeld);
  let isScheduled = false;
  const enforce = (): void => {
    isScheduled = false;
    const minIdleMs = idle.isOver(burstFactor) ? 0 : limits.minIdleMs;
    const closed = [idle.isOver() && idle.closeSome(minIdleMs), bodies.isOver() && bodies.closeSome()];
    if (idle.isOver() || bodies.isOver()) schedule(closed.includes(true));
  };
  /** Closing takes about as long as accepting: while connections arrive, it goes on slowly unless there are far too many. */
  const isUrgent = (): boolean => sinceConnection() > quietMs || idle.isOver(burstFactor) || bodies.isOver(burstFactor);
  const schedule = (mayClose: boolean): void => {
    if (isScheduled) return;
    isScheduled = true;
    if (mayClose && isUrgent()) setImmediate(enforce);
    else setTimeout(enforce, recheckMs);
  };
  return {
    becameIdle: (socket) => {
      idle.add(socket);
      if (idle.isOver()) schedule(true);
    },
    becameBusy: idle.remove,
    requestBegan: (request) => {
      if (!hasBody(request)) return;
      bodies.add(request);
      if (bodies.isOver()) schedule(true);
    },
    requestEnded: bodies.remove,
  };
};

/** All connections of a server, including upgraded ones, which the server itself no longer knows. */
export interface OpenConnections {
  /** Closes those that never sent anything; the server does not count them as idle. */
  readonly closeUnused: () => void;
  readonly closeAll: () => void;
}

/**
 * Keeps track of a server's connections, and closes those whose client accepts none of the data waiting to be sent for
 * `stallMs`; the server itself has no such limit. Uses the timers of the sockets, which notice progress within a large
 * write. Calls `onClose` for each closed connection.
 */
export const trackConnections = (
  server: Server,
  stallMs: number,
  checkMs: number,
  onClose: (socket: Socket) => void,
): OpenConnections => {
  const open = new Set<Socket>();
  const sending = new Set<Socket>();
  server.on('connection', (socket) => {
    // A declined upgrade emits the connection again.
    if (open.has(socket)) return;
    open.add(socket);
    socket.on('timeout', () => {
      if (sending.has(socket)) socket.destroy();
    });
    socket.once('close', () => {
      open.delete(socket);
      sending.delete(socket);
      onClose(socket);
    });
  });
  const check = (socket: Socket): void => {
    const isSending = socket.writableLength > 0;
    if (isSending && !sending.has(socket)) {
      sending.add(socket);
      socket.setTimeout(stallMs);
    } else if (!isSending && sending.delete(socket) && socket.timeout === stallMs) {
      socket.setTimeout(0);
    }
  };
  const checks = setInterval(() => open.forEach(check), checkMs).unref();
  server.once('close', () => clearInterval(checks));
  return {
    closeUnused: () => open.forEach((socket) => socket.bytesRead === 0 && socket.destroy()),
    closeAll: () => open.forEach((socket) => socket.destroy()),
  };
};
