import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { HttpError } from './http-error.js';

/** For so long a client that has been answered may keep its side open, in milliseconds. */
const lingering_ms = 1_000;

const answered = new WeakSet<Duplex>();

/** Whether `endWith` answered on this connection. */
export const isAnswered = (socket: Duplex): boolean => answered.has(socket);

/**
 * Answers on a connection that Node does not serve as HTTP (any more), in the form of any other error, and ends it. What
 * the client still sends is read and forgotten for a second, so that it can read the answer before it is cut off.
 */
export const endWith = (socket: Duplex, { status, detail, headers = {} }: HttpError, request_id: string): void => {
  const body = JSON.stringify({ detail });
  const all = {
    Connection: 'close',
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    'X-Request-Id': request_id,
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  answered.add(socket);
  const cutOff = setTimeout(() => socket.destroy(), lingering_ms);
  socket.once('close', () => clearTimeout(cutOff));
  socket.resume();
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
};
