import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { coded } from './http-error.js';
import { endWith } from './raw-answer.js';
import { idOfRequest } from './request-id.js';

/** Node keeps the first 2,000 headers of a request: where there are more, one that matters may be missing. */
const mostHeaders = 2_000;

const pairs = (texts: ReadonlyArray<string>): ReadonlyArray<readonly [name: string, value: string]> =>
  texts.flatMap((name, at) => (at % 2 === 0 ? [[name, texts[at + 1] ?? ''] as const] : []));

const withoutUpgrade = (name: string, value: string): string | null => {
  if (name.toLowerCase() === 'upgrade') return null;
  if (name.toLowerCase() !== 'connection') return value;
  const others = value.split(',').filter((option) => option.trim().toLowerCase() !== 'upgrade');
  return others.length === 0 ? null : others.join(',');
};

/** The request line and headers as they came, but for the wish to upgrade. */
const headOf = ({ method = '', url = '', httpVersion, rawHeaders }: IncomingMessage): Buffer => {
  const lines = pairs(rawHeaders).flatMap(([name, value]) => {
    const kept = withoutUpgrade(name, value);
    return kept === null ? [] : [`${name}: ${kept}\r\n`];
  });
  return Buffer.from(`${method} ${url} HTTP/${httpVersion}\r\n${lines.join('')}\r\n`, 'latin1');
};

/** The answer that a connection is busy with, to a request before this one. */
const answerUnderWay = (socket: Socket): ServerResponse | null => {
  const answer: unknown = '_httpMessage' in socket ? socket._httpMessage : null;
  return answer instanceof ServerResponse ? answer : null;
};

/** Calls back once the requests before this one are answered; meanwhile nothing is read from the connection. */
export const afterAnswers = (socket: Socket, next: () => void): void => {
  const answer = answerUnderWay(socket);
  if (answer !== null) answer.once('close', () => afterAnswers(socket, next));
  else if (socket.writable) next();
  else socket.destroy();
};

/**
 * Serves a request as if it had not asked for another protocol; RFC 9110, 7.8, allows that, and some clients ask for
 * HTTP/2 without encryption with every request. Node has stopped reading the connection as HTTP: it is given back to the
 * server with the request in front again, without the wish, so that every limit and time-out holds for it as usual.
 */
export const declineUpgrade = (server: Server, request: IncomingMessage, socket: Socket, head: Buffer): void => {
  if (request.rawHeaders.length >= 2 * mostHeaders)
    return endWith(socket, coded(431, 'headers_too_large', 'There are too many headers'), idOfRequest(request));
  socket.setTimeout(0);
  socket.unshift(Buffer.concat([headOf(request), head]));
  server.emit('connection', socket);
};
