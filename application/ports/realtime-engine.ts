import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import type { SessionId } from '../../domain/kernel/ids.js';
import type { Timestamp } from '../../domain/kernel/timestamp.js';

/** The engine cannot be reached or did not answer in time. */
export interface EngineUnavailable {
  readonly _tag: 'EngineUnavailable';
  readonly reason: string;
}

/** The offer is no session description that the engine can answer. */
export interface InvalidSdp {
  readonly _tag: 'InvalidSdp';
  readonly reason: string;
}

export interface InvalidIceCandidate {
  readonly _tag: 'InvalidIceCandidate';
  readonly reason: string;
}

/** A trickled candidate; an empty `candidate` ends the candidates. */
export interface IceCandidate {
  readonly candidate: string;
  readonly sdp_mid: string | null;
  readonly sdp_m_line_index: number | null;
}

/** Where the peer connection's media stands. */
export type MediaState = 'connected' | 'disconnected' | 'failed';

/** What the engine reports of a session. Times are seconds since the session's first media. */
export type EngineReport =
  | { readonly kind: 'media'; readonly state: MediaState }
  | {
      readonly kind: 'voice_activity';
      readonly start: number;
      readonly end: number;
      readonly speaking: boolean;
      /** Level relative to full scale, at most 0; silence is -127. */
      readonly level_dbfs: number;
    }
  | {
      readonly kind: 'video_stats';
      readonly start: number;
      readonly end: number;
      /** Frames received in this time. */
      readonly frames: number;
      readonly width: number | null;
      readonly height: number | null;
    };

/** Terminates a session's WebRTC and analyses its media. */
export interface RealtimeEngine {
  readonly health: () => TaskEither<EngineUnavailable, void>;
  /** Takes an offer and answers it; a second offer renegotiates. `report` hears of the session until it is closed. */
  readonly negotiate: (
    session: SessionId,
    sdp: string,
    report: (report: EngineReport) => void,
  ) => TaskEither<InvalidSdp | EngineUnavailable, { readonly sdp: string }>;
  readonly addCandidate: (
    session: SessionId,
    candidate: IceCandidate,
  ) => TaskEither<InvalidIceCandidate | EngineUnavailable, void>;
  /** Ends a session's media and frees what it held; nothing is reported after it. A session that is not known is no error. */
  readonly close: (session: SessionId) => TaskEither<EngineUnavailable, void>;
  /** Ends all. */
  readonly shutDown: () => Promise<void>;
}

/** A server through which media finds its way, in the form that `RTCPeerConnection` takes. */
export interface IceServer {
  readonly urls: ReadonlyArray<string>;
  readonly username?: string;
  readonly credential?: string;
}

/** The servers that a session may use until it expires. */
export type IceServers = (session_id: SessionId, expires_at: Timestamp) => ReadonlyArray<IceServer>;
