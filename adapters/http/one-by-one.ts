import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';

/** So many requests may be unanswered on one connection; a client that sends more behind them is cut off. */
const mostUnanswered = 200;

/**
 * Serves the requests of a connection one after the other: their answers have to go in that order anyway, and what one
 * connection asks for is never all at work at once.
 */
export const oneByOne = (listener: RequestListener): RequestListener => {
  const lines = new WeakMap<Socket, Array<() => void>>();
  return (request, response) => {
    const { socket } = request;
    /* What it had sent before it was cut off is read to its end. */
    if (socket.destroyed) return;
    const line = lines.get(socket) ?? [];
    lines.set(socket, line);
    if (line.length === mostUnanswered) return void socket.destroy();
    const begin = (): void => {
      if (!socket.destroyed) listener(request, response);
    };
    line.push(begin);
    response.once('close', () => {
      line.shift();
      line[0]?.();
    });
    if (line.length === 1) begin();
  };
};
