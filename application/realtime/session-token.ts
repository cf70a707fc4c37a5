import { SessionId } from '../../domain/kernel/ids.js';
import type { Ids } from '../ports/ids.js';

/** A new token of a session: its id and 256 random bits. */
export const sessionToken = ({ token }: Ids, session_id: SessionId): string => `${session_id}.${token()}`;

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/** The text as a session id; null if it is not one. */
export const sessionIdOf = (text: string): SessionId | null => (uuid.test(text) && SessionId.is(text) ? text : null);

/** The session id in a token; null if the text is not a session token. */
export const sessionOfToken = (token: string): SessionId | null =>
  token.length > 200 ? null : sessionIdOf(token.split('.', 1)[0] ?? '');
