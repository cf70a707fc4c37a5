import type { Socket } from 'node:net';
import type { RequestHandler } from 'express';

/** So many turns of the event loop without a new request tell that no more are arriving just now. */
const quietTurns = 2;
/** For so long those that are arriving are let in before the next ones begin, in milliseconds. */
const longestArrival = 10;
/** After so much work no other request begins in the same turn of the event loop, in milliseconds. */
const longestTurn = 15;
/** A body that is at hand is read, and the request served, within so many rounds of ticks and microtasks. */
const rounds = 6;

/** Calls back once the work that is under way has nothing left to do in this turn of the event loop. */
const whenIdle = (left: number, then: () => void): void => {
  if (left === 0) then();
  else queueMicrotask(() => process.nextTick(whenIdle, left - 1, then));
};

/**
 * Lets requests begin one after the other, each when the one before has done what it can do at once, and for a few
 * milliseconds only in one turn of the event loop; those that are arriving are let in before (one connection is accepted
 * in a turn). So of a thousand that arrive at once none keeps others waiting for more than its own work, and what needs
 * no turn, as health checks do not, is answered in between. What begins in one turn can be written together. One that
 * is alone, on a connection that was used before, need not wait for others.
 */
export const inTurn = (): RequestHandler => {
  const waiting: Array<() => void> = [];
  let arrived = 0;
  let atWork = false;
  let isNew = false;
  const known = new WeakSet<Socket>();
  const begin = (since: number): void => {
    waiting.shift()?.();
    whenIdle(rounds, () => {
      if (waiting.length === 0) atWork = false;
      else if (performance.now() - since < longestTurn) begin(since);
      else setImmediate(() => letIn(performance.now(), arrived, 0));
    });
  };
  const letIn = (since: number, before: number, quiet: number): void => {
    const turns = arrived === before ? quiet + 1 : 0;
    const isAlone = waiting.length === 1 && !isNew;
    if (!isAlone && turns < quietTurns && performance.now() - since < longestArrival)
      setImmediate(letIn, since, arrived, turns);
    else begin(performance.now());
  };
  const turn = (socket: Socket): Promise<void> =>
    new Promise((resolve) => {
      arrived += 1;
      isNew = !known.has(socket);
      known.add(socket);
      waiting.push(resolve);
      if (!atWork) setImmediate(() => letIn(performance.now(), arrived, 0));
      atWork = true;
    });
  return async (request, _, next) => {
    await turn(request.socket);
    /* Nobody is there any more to be answered. */
    if (!request.socket.destroyed) next();
  };
};
