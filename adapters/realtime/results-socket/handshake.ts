import type { IncomingMessage } from 'node:http';
import type { ResultsRequest } from '../../../application/realtime/open-results.js';

const tokenPrefix = 'bearer.';

const tokenInHeader = ({ headers }: IncomingMessage): string | null =>
  /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? null;

const tokenInProtocols = ({ headers }: IncomingMessage): string | null =>
  (headers['sec-websocket-protocol'] ?? '')
    .split(',')
    .map((protocol) => protocol.trim())
    .find((protocol) => protocol.startsWith(tokenPrefix))
    ?.slice(tokenPrefix.length) ?? null;

const queryOf = ({ url = '' }: IncomingMessage): URLSearchParams => {
  const mark = url.indexOf('?');
  return new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1));
};

/** Token and session id of a handshake. The token comes as a header, in the query, or as a subprotocol (for browsers). */
export const resultsRequest = (request: IncomingMessage): ResultsRequest => {
  const query = queryOf(request);
  const token = tokenInHeader(request) ?? query.get('token') ?? tokenInProtocols(request);
  return { token, session_id: query.get('session_id') };
};

/**
 * The subprotocol to answer with: browsers fail a connection that selects none of those they offer. One that does not
 * carry the token is preferred, so that the token is not repeated in the answer.
 */
export const selectProtocol = (protocols: ReadonlySet<string>): string | false => {
  const offered = [...protocols];
  return offered.find((protocol) => !protocol.startsWith(tokenPrefix)) ?? offered[0] ?? false;
};
