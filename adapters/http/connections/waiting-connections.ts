import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { quietMs, sinceConnection } from '../../runtime/event-loop.js';
import { hasBody } from '../headers.js';
import { idleConnections } from './idle-connections.js';
import { incompleteBodies } from './incomplete-bodies.js';

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
/** A request whose body is incomplete is ended only if no byte has arrived for this time, in milliseconds. */
const minStallMs = 500;
/** Pause before the connections are examined again if none could be closed yet, in milliseconds. */
const recheckMs = 100;

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
    const closed = [
      idle.isOver() && idle.closeSome(maxPerTurn, idle.isOver(burstFactor) ? 0 : limits.minIdleMs),
      bodies.isOver() && bodies.closeSome(maxPerTurn, bodies.isOver(burstFactor) ? 0 : minStallMs),
    ];
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
