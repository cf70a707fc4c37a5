import type { IncomingMessage } from 'node:http';
import { connectionsAccepted, quietMs, sinceConnection } from '../../runtime/event-loop.js';

/** While connections arrive, one held request starts in this time, in milliseconds. */
const maxPauseMs = 20;
/** So few held requests start in the first turn without a new connection; more of them, once arrivals are over. */
const few = 8;
/** At most this many held requests are examined in one turn of the event loop. */
const maxExamined = 4;

interface HeldRequest {
  readonly request: IncomingMessage;
  readonly start: () => void;
}

/** Requests that have not started because their body is incomplete. */
export interface IncompleteRequests {
  /**
   * Starts a request with a body: at once while no connections arrive, unless it is the first on its connection; in the
   * next turn of the event loop if its body has been received until then; otherwise in its turn.
   */
  readonly startInTurn: (request: IncomingMessage, isFirst: boolean, start: () => void) => void;
  readonly isHeld: (request: IncomingMessage) => boolean;
}

/** Whether a request was refused meanwhile: its connection is closed, or closing. */
const isRefused = ({ socket }: IncomingMessage): boolean => !socket.writable;

/**
 * Holds requests whose body is incomplete while connections arrive: the event loop accepts one connection in each turn, and
 * such a request can be answered only once its client sends more. So thousands of half requests do not delay the
 * connections behind them, and those that are refused for sending nothing were never started.
 */
export const holdIncompleteRequests = (): IncompleteRequests => {
  const queue: HeldRequest[] = [];
  const held = new WeakSet<IncomingMessage>();
  let lastStart = 0;
  const startHeld = ({ request, start }: HeldRequest): void => {
    held.delete(request);
    if (!isRefused(request)) start();
  };
  const examine = (acceptedBefore: number): void => {
    const isQuiet = queue.length <= few ? connectionsAccepted() === acceptedBefore : sinceConnection() > quietMs;
    const now = performance.now();
    let mayStart = isQuiet || now - lastStart >= maxPauseMs;
    for (let left = Math.min(queue.length, maxExamined); left > 0; left -= 1) {
      const next = queue.shift();
      if (next === undefined || isRefused(next.request)) continue;
      if (!mayStart && !next.request.complete) {
        queue.push(next);
        continue;
      }
      mayStart = false;
      lastStart = now;
      startHeld(next);
    }
    if (queue.length > 0) setImmediate(examine, connectionsAccepted());
  };
  const hold = (one: HeldRequest, acceptedBefore: number): void => {
    if (one.request.complete) return startHeld(one);
    queue.push(one);
    if (queue.length === 1) examine(acceptedBefore);
  };
  return {
    startInTurn: (request, isFirst, start) => {
      if (!isFirst && sinceConnection() > quietMs) return start();
      held.add(request);
      return void setImmediate(hold, { request, start }, connectionsAccepted());
    },
    isHeld: (request) => held.has(request),
  };
};
