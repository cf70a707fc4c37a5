import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { idOfRequest } from '../headers.js';
import { type HttpError, coded } from '../refusals/http-error.js';
import { endWithError } from './raw-answers.js';

/** A request to change a connection to a WebSocket. */
interface Handshake {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
  readonly request_id: string;
  /** Answers with an error and closes the connection. */
  readonly refuse: (status: number, code: string, message: string, headers?: HttpError['headers']) => void;
}

/** The handler of WebSocket handshakes on a path; null if the path has none. */
export type Upgrade = (path: string) => ((handshake: Handshake) => void) | null;

const isWebSocket = ({ method, headers }: IncomingMessage): boolean =>
  method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket';

const pathOf = ({ url = '' }: IncomingMessage): string => (url.split('?', 1)[0] ?? '').replace(/(?<=.)\/$/, '');

const handshakeOf = (request: IncomingMessage, socket: Duplex, head: Buffer): Handshake => {
  const request_id = idOfRequest(request);
  return {
    request,
    socket,
    head,
    request_id,
    refuse: (status, code, message, headers = {}) =>
      endWithError(socket, { ...coded(status, code, message), headers }, request_id),
  };
};

/** Node keeps the first 2,000 headers of a request: if there are more, an important one may be missing. */
const maxHeaders = 2_000;

const pairs = (texts: ReadonlyArray<string>): ReadonlyArray<readonly [name: string, value: string]> =>
  texts.flatMap((name, at) => (at % 2 === 0 ? [[name, texts[at + 1] ?? ''] as const] : []));

/** The value of a header without the request to upgrade; null if nothing is left of it. */
const withoutUpgrade = (name: string, value: string): string | null => {
  if (name.toLowerCase() === 'upgrade') return null;
  if (name.toLowerCase() !== 'connection') return value;
  const others = value.split(',').filter((option) => option.trim().toLowerCase() !== 'upgrade');
  return others.length === 0 ? null : others.join(',');
};

/** The request line and headers as received, without the request to upgrade. */
const headOf = ({ method = '', url = '', httpVersion, rawHeaders }: IncomingMessage): Buffer => {
  const lines = pairs(rawHeaders).flatMap(([name, value]) => {
    const kept = withoutUpgrade(name, value);
    return kept === null ? [] : [`${name}: ${kept}\r\n`];
  });
  return Buffer.from(`${method} ${url} HTTP/${httpVersion}\r\n${lines.join('')}\r\n`, 'latin1');
};

/**
 * Handles a request as if it had not asked for another protocol, as RFC 9110, section 7.8, allows: some clients ask for
 * HTTP/2 without encryption in every request. Node no longer reads the connection as HTTP, so it is given back to the server
 * with the request in front, without the upgrade. All limits and timeouts then apply as usual.
 */
const declineUpgrade = (server: Server, request: IncomingMessage, socket: Socket, head: Buffer): void => {
  if (request.rawHeaders.length >= 2 * maxHeaders)
    return endWithError(socket, coded(431, 'headers_too_large', 'There are too many headers'), idOfRequest(request));
  socket.setTimeout(0);
  socket.unshift(Buffer.concat([headOf(request), head]));
  server.emit('connection', socket);
};

/** The answer to an earlier request that the connection is sending. */
const currentAnswer = (socket: Socket): ServerResponse | null => {
  const answer: unknown = '_httpMessage' in socket ? socket._httpMessage : null;
  return answer instanceof ServerResponse ? answer : null;
};

/** Calls back once the earlier requests are answered; until then nothing is read from the connection. */
const afterAnswers = (socket: Socket, next: () => void): void => {
  const answer = currentAnswer(socket);
  if (answer !== null) answer.once('close', () => afterAnswers(socket, next));
  else if (socket.writable) next();
  else socket.destroy();
};

/** Accepts WebSocket handshakes on paths that have a handler; handles other upgrades as plain requests. */
export const serveUpgrades = (server: Server, upgradeOf: Upgrade, onUpgrade: (socket: Socket) => void): void => {
  server.on('upgrade', (request, socket, head) => {
    if (!(socket instanceof Socket)) return void socket.destroy();
    onUpgrade(socket);
    // Node has removed its own listener: without one, a client that disconnects would end the process.
    const onError = (): void => void socket.destroy();
    socket.on('error', onError);
    return afterAnswers(socket, () => {
      const upgrade = isWebSocket(request) ? upgradeOf(pathOf(request)) : null;
      if (upgrade !== null) return upgrade(handshakeOf(request, socket, head));
      socket.off('error', onError);
      return declineUpgrade(server, request, socket, head);
    });
  });
};
