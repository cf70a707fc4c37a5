import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { yieldIfBusy } from '../../runtime/event-loop.js';
import { type HttpError, coded } from '../refusals/http-error.js';

/** How long an answered client may keep its side of the connection open, in milliseconds. */
const lingerMs = 1_000;

const answered = new WeakSet<Duplex>();

/**
 * Writes an error answer to a connection that Node does not handle as HTTP, in the usual form, and closes it. Input is
 * discarded for a second more, so that the client can read the answer before the connection is cut.
 */
export const endWithError = (socket: Duplex, { status, detail, headers = {} }: HttpError, request_id: string): void => {
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
  const cutOff = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => clearTimeout(cutOff));
  socket.resume();
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
};

const codeOf = (error: Error): unknown => ('code' in error ? error.code : null);

const requestTimeout = coded(408, 'request_timeout', 'The request was not received in time');

const answerTo = (error: Error): HttpError => {
  switch (codeOf(error)) {
    case 'HPE_HEADER_OVERFLOW':
      return coded(431, 'headers_too_large', 'The request line and headers are too large');
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return coded(413, 'payload_too_large', 'The chunk extensions are too large');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return requestTimeout;
    default:
      return coded(400, 'bad_request', 'The request is not valid HTTP');
  }
};

/** Whether part of an answer was already sent on the connection: an error written now would end up inside it. */
const isAnswering = (socket: Duplex): boolean => {
  const answer: unknown = '_httpMessage' in socket ? socket._httpMessage : null;
  return typeof answer === 'object' && answer !== null && 'headersSent' in answer && answer.headersSent === true;
};

/** Answers a request whose body stalled with 408, and closes the connection. */
export const refuseSlowBody = (socket: Socket): void => {
  if (isAnswering(socket)) return void socket.destroy();
  endWithError(socket, requestTimeout, randomUUID());
  socket.destroySoon();
};

const refuse = (error: Error, socket: Duplex): void => {
  // The input after a broken request causes errors too; only the first is answered.
  if (answered.has(socket)) return;
  if (!socket.writable || codeOf(error) === 'ECONNRESET' || isAnswering(socket)) return void socket.destroy();
  endWithError(socket, answerTo(error), randomUUID());
};

/**
 * Answers what Node could not parse as a request in the usual form of errors, and closes the connection. If thousands
 * break at once, some wait for a later turn of the event loop.
 */
export const refuseBrokenRequest = (error: Error, socket: Duplex): void => {
  const turn = yieldIfBusy();
  if (turn === null) refuse(error, socket);
  else void turn.then(() => refuse(error, socket));
};
