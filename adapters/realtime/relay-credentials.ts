import { createHmac } from 'node:crypto';
import type { IceServers } from '../../application/ports/realtime-engine.js';

interface Relays {
  readonly turn_urls: ReadonlyArray<string>;
  /** The secret shared with the TURN server: coturn's `static-auth-secret`. */
  readonly turn_secret: string | null;
  readonly stun_urls: ReadonlyArray<string>;
}

/**
 * The ICE servers of a session, with TURN credentials for that session alone. Follows the TURN REST convention: the user
 * name is the expiry time (seconds since 1970) and the session id, the credential is its HMAC-SHA1 under the shared
 * secret, so the TURN server can check it without asking this service.
 */
export const relayCredentials =
  ({ turn_urls, turn_secret, stun_urls }: Relays): IceServers =>
  (session_id, expires_at) => {
    const stun = stun_urls.length === 0 ? [] : [{ urls: stun_urls }];
    if (turn_urls.length === 0 || turn_secret === null) return stun;
    const username = `${Math.ceil(Date.parse(expires_at) / 1_000)}:${session_id}`;
    const credential = createHmac('sha1', turn_secret).update(username).digest('base64');
    return [{ urls: turn_urls, username, credential }, ...stun];
  };
