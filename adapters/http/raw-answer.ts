import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { HttpError } from './http-error.js';

/** For so long a client that has been answered may keep its side open, in milliseconds. */
const lingering = 1_000;

/** Answers on a connection that Node does not serve as HTTP (any more), in the form of any other error, and ends it. */
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
  socket.once('finish', () => setTimeout(() => socket.destroy(), lingering).unref());
  socket.resume();
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
};
