import { SessionId } from '../../domain/kernel/ids.js';
import type { Ids } from '../ports/ids.js';

/** A new token that opens the results of a session: it names the session, and is 256 random bits. */
export const sessionToken = ({ token }: Ids, session_id: SessionId): string => `${session_id}.${token()}`;

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/** The session id that a text is; null when it is none. */
export const sessionIdOf = (text: string): SessionId | null => (uuid.test(text) && SessionId.is(text) ? text : null);

/** The session that a token names; null for a text that is no token of ours. */
export const sessionOfToken = (token: string): SessionId | null =>
  token.length > 200 ? null : sessionIdOf(token.split('.', 1)[0] ?? '');
