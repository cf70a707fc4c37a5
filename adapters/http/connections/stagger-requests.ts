import type { IncomingMessage, RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { connectionsAccepted } from '../../runtime/event-loop.js';

/** After this many turns of the event loop without a new request or connection, a burst of arrivals is over. */
const quietTurns = 2;
/** While others arrive, requests on known connections start after this time at the latest, in milliseconds. */
const maxKnownMs = 10;
/** While others arrive, first requests of connections start after this time at the latest, in milliseconds. */
const maxFirstMs = 100;
/** No further request starts in a turn of the event loop that has worked for this time, in milliseconds. */
const maxTurnMs = 15;
/** Rounds of ticks and microtasks in which a request with a small body, already received, is served. */
const maxRounds = 6;

/** Calls back once the work in progress has nothing left to do in this turn of the event loop. */
const afterRounds = (rounds: number, next: () => void): void => {
  if (rounds === 0) next();
  else queueMicrotask(() => process.nextTick(afterRounds, rounds - 1, next));
};

/** Since when others have been arriving, in milliseconds of the process, and how many had arrived in the last turn. */
interface Burst {
  readonly firstSince: number;
  readonly knownSince: number;
  readonly arrived: number;
  readonly quiet: number;
}

/**
 * Starts requests one after the other, each once the previous one has done what it can do without waiting, and only for a
 * few milliseconds in one turn of the event loop. Arriving requests and connections are let in first, since one connection
 * is accepted per turn; first requests of connections give way to them for longer than others. So if thousands of requests
 * arrive at once, none delays the others by more than its own work; those that are `urgent` are served in between; and the
 * appends of requests that start in one turn can share a transaction. A single request on a known connection starts
 * without waiting for others.
 */
export const staggerRequests = (
  listener: RequestListener,
  isUrgent: (request: IncomingMessage) => boolean,
): RequestListener => {
  const known: Array<() => void> = [];
  const first: Array<() => void> = [];
  const sockets = new WeakSet<Socket>();
  let arrivedRequests = 0;
  let isRunning = false;
  const arrived = (): number => arrivedRequests + connectionsAccepted();
  const newBurst = (): Burst => {
    const now = performance.now();
    return { firstSince: now, knownSince: now, arrived: arrived(), quiet: 0 };
  };

  const start = (since: number, withFirst: boolean, next: () => Burst): void => {
    (known.shift() ?? (withFirst ? first.shift() : undefined))?.();
    afterRounds(maxRounds, () => {
      const waiting = known.length + (withFirst ? first.length : 0);
      if (waiting > 0 && performance.now() - since < maxTurnMs) start(since, withFirst, next);
      else if (known.length + first.length > 0) setImmediate(() => letIn(next()));
      else isRunning = false;
    });
  };
  const letIn = ({ firstSince, knownSince, arrived: before, quiet: quietBefore }: Burst): void => {
    const [now, count] = [performance.now(), arrived()];
    const quiet = count === before ? quietBefore + 1 : 0;
    const isSingle = known.length === 1 && first.length === 0;
    if (isSingle || quiet >= quietTurns || now - firstSince >= maxFirstMs) return start(now, true, newBurst);
    const burst = { firstSince, knownSince, arrived: count, quiet };
    if (known.length > 0 && now - knownSince >= maxKnownMs)
      return start(now, false, () => ({ ...burst, knownSince: performance.now(), arrived: arrived(), quiet: 0 }));
    return void setImmediate(letIn, burst);
  };
  return (request, response) => {
    if (isUrgent(request)) return listener(request, response);
    const { socket } = request;
    arrivedRequests += 1;
    (sockets.has(socket) ? known : first).push(() => {
      if (!socket.destroyed) listener(request, response);
    });
    sockets.add(socket);
    if (!isRunning) setImmediate(() => letIn(newBurst()));
    isRunning = true;
  };
};
