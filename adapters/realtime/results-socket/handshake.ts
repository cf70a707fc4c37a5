import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ResultsRequest } from '../../../application/realtime/open-results.js';

/** A request to become a socket, on a connection whose first bytes after it are `head`. */
export interface Handshake {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
  readonly request_id: string;
  /** Answers with an error instead. */
  readonly refuse: (status: number, code: string, message: string, headers?: Record<string, string>) => void;
}

const bearer = 'bearer.';

const inHeader = ({ headers }: IncomingMessage): string | null =>
  /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? null;

const inProtocols = ({ headers }: IncomingMessage): string | null =>
  (headers['sec-websocket-protocol'] ?? '')
    .split(',')
    .map((protocol) => protocol.trim())
    .find((protocol) => protocol.startsWith(bearer))
    ?.slice(bearer.length) ?? null;

const queryOf = ({ url = '' }: IncomingMessage): URLSearchParams => {
  const mark = url.indexOf('?');
  return new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1));
};

/** Token and session of a handshake: the token as a header, in the query, or as a subprotocol (for browsers). */
export const resultsRequest = (request: IncomingMessage): ResultsRequest => {
  const query = queryOf(request);
  const token = inHeader(request) ?? query.get('token') ?? inProtocols(request);
  return { token, session_id: query.get('session_id') };
};

/** Browsers fail a connection that picks none of their protocols: one that says nothing is picked before the token. */
export const chosenProtocol = (protocols: ReadonlySet<string>): string | false => {
  const offered = [...protocols];
  return offered.find((protocol) => !protocol.startsWith(bearer)) ?? offered[0] ?? false;
};
