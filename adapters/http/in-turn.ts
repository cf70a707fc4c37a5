import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { RequestHandler } from 'express';

/** So many requests may wait on one connection behind the one that is served; a client that sends more is cut off. */
const mostWaiting = 200;

/** The requests of one connection that have not been answered. */
interface Line {
  waiting: number;
  /** The last of them has been answered. */
  last: Promise<void>;
}

const answered = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => void response.once('close', () => resolve()));

/** Waits for the requests before it on the same connection: their answers have to go first anyway. */
const inLine = (lines: WeakMap<Socket, Line>, { socket }: IncomingMessage, response: ServerResponse): Promise<void> => {
  const line = lines.get(socket) ?? { waiting: 0, last: Promise.resolve() };
  lines.set(socket, line);
  const before = line.last;
  line.last = answered(response);
  line.waiting += 1;
  if (line.waiting > mostWaiting) socket.destroy();
  response.once('close', () => (line.waiting -= 1));
  return before;
};

/** So many turns of the event loop without a new request tell that no more are arriving just now. */
const quietTurns = 2;
/** For so long those that are arriving are let in before the next one begins, in milliseconds. */
const longestArrival = 10;

/**
 * Lets requests begin one at a time, each in a turn of the event loop of its own, after those that are arriving have
 * been let in (one connection is accepted in a turn); and those of one connection one after the other. So of a thousand
 * that arrive at once none keeps others waiting for more than its own work, and what needs no turn, as health checks do
 * not, is answered in between.
 */
export const inTurn = (): RequestHandler => {
  const lines = new WeakMap<Socket, Line>();
  const waiting: Array<() => void> = [];
  let arrived = 0;
  const letIn = (since: number, before: number, quiet: number): void => {
    const turns = arrived === before ? quiet + 1 : 0;
    if (turns < quietTurns && performance.now() - since < longestArrival)
      return void setImmediate(letIn, since, arrived, turns);
    waiting.shift()?.();
    /* What has begun is at work until the next turn. */
    if (waiting.length > 0) setImmediate(() => letIn(performance.now(), arrived, 0));
  };
  const turn = (): Promise<void> =>
    new Promise((resolve) => {
      arrived += 1;
      waiting.push(resolve);
      if (waiting.length === 1) setImmediate(() => letIn(performance.now(), arrived, 0));
    });
  return async (request, response, next) => {
    await inLine(lines, request, response);
    await turn();
    /* Nobody is there any more to be answered. */
    if (!request.socket.destroyed) next();
  };
};
