import type { SessionId } from '../../domain/kernel/ids.js';
import type { Timestamp } from '../../domain/kernel/timestamp.js';

/** A server through which media finds its way, in the form that `RTCPeerConnection` takes. */
export interface IceServer {
  readonly urls: ReadonlyArray<string>;
  readonly username?: string;
  readonly credential?: string;
}

/** The servers that a session may use until it expires. */
export type IceServers = (session_id: SessionId, expires_at: Timestamp) => ReadonlyArray<IceServer>;
