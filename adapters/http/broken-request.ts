import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { yieldIfBusy } from '../runtime/event-loop.js';
import { type HttpError, coded } from './http-error.js';
import { endWith, isAnswered } from './raw-answer.js';

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

/** An answer has begun on this connection: another text would end up in the middle of it. */
const isAnswering = (socket: Duplex): boolean => {
  const answer: unknown = '_httpMessage' in socket ? socket._httpMessage : null;
  return typeof answer === 'object' && answer !== null && 'headersSent' in answer && answer.headersSent === true;
};

const refuse = (error: Error, socket: Duplex): void => {
  // What follows a broken request is broken too.
  if (isAnswered(socket)) return;
  if (!socket.writable || codeOf(error) === 'ECONNRESET' || isAnswering(socket)) return void socket.destroy();
  endWith(socket, answerTo(error), randomUUID());
};

/** Ends a request that was too slow to send its body, in the same form, and its connection at once. */
export const refuseSlowBody = (socket: Socket): void => {
  if (isAnswering(socket)) return void socket.destroy();
  endWith(socket, requestTimeout, randomUUID());
  socket.destroySoon();
};

/**
 * Answers what Node could not read as a request, in the same form as any other error, and ends the connection. Of
 * thousands that break at once, as where clients leave in the middle of theirs, some wait for a later turn.
 */
export const refuseBrokenRequest = (error: Error, socket: Duplex): void => {
  const turn = yieldIfBusy();
  if (turn === null) refuse(error, socket);
  else void turn.then(() => refuse(error, socket));
};
