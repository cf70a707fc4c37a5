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

/**
 * Lets requests begin one at a time, each in a turn of the event loop of its own, and those of one connection one after
 * the other. So of a thousand that arrive at once none keeps others waiting for more than its own work; what needs no
 * turn, as health checks do not, is answered in between.
 */
export const inTurn = (): RequestHandler => {
  const lines = new WeakMap<Socket, Line>();
  const waiting: Array<() => void> = [];
  const begin = (): void => {
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(begin);
  };
  const turn = (): Promise<void> =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 1) setImmediate(begin);
    });
  return async (request, response, next) => {
    await inLine(lines, request, response);
    await turn();
    /* Nobody is there any more to be answered. */
    if (!request.socket.destroyed) next();
  };
};
