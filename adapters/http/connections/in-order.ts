import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { hasBody } from '../headers.js';
import type { IncompleteRequests } from './hold-incomplete.js';
import type { WaitingConnections } from './waiting-connections.js';

/** Maximum number of unanswered requests on one connection; beyond it the connection is closed. */
const maxPipelined = 200;

/**
 * Handles the requests of a connection one after the other. Their answers have to be sent in this order anyway, and so a
 * connection never has several requests in progress.
 */
export const inOrder = (
  listener: RequestListener,
  waiting: WaitingConnections,
  incomplete: IncompleteRequests,
): RequestListener => {
  const queues = new WeakMap<Socket, Array<() => void>>();
  return (request, response) => {
    const { socket } = request;
    waiting.becameBusy(socket);
    // Node still parses what a destroyed connection had sent.
    if (socket.destroyed) return;
    const known = queues.get(socket);
    const queue = known ?? [];
    if (known === undefined) queues.set(socket, queue);
    if (queue.length === maxPipelined) return void socket.destroy();
    const begin = (): void => {
      if (!socket.destroyed) listener(request, response);
    };
    queue.push(begin);
    waiting.requestBegan(request);
    response.once('close', () => {
      waiting.requestEnded(request);
      queue.shift();
      queue[0]?.();
      if (queue.length === 0 && !socket.destroyed) waiting.becameIdle(socket);
    });
    if (queue.length > 1) return;
    if (hasBody(request)) incomplete.startInTurn(request, known === undefined, begin);
    else begin();
  };
};
