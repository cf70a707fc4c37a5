import type { Tagged } from '../../domain/kernel/decider.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import type { SessionId } from '../../domain/kernel/ids.js';
import type { Timestamp } from '../../domain/kernel/timestamp.js';

/** The engine cannot be reached or did not answer in time. */
export type EngineUnavailable = Tagged<'EngineUnavailable', { reason: string }>;

/** The engine cannot answer the offered session description. */
export type InvalidSdp = Tagged<'InvalidSdp', { reason: string }>;

export type InvalidIceCandidate = Tagged<'InvalidIceCandidate', { reason: string }>;

/** A trickled ICE candidate; an empty `candidate` marks the last one. */
export interface IceCandidate {
  readonly candidate: string;
  readonly sdp_mid: string | null;
  readonly sdp_m_line_index: number | null;
}

/** The state of the peer connection's media. */
export type MediaState = 'connected' | 'disconnected' | 'failed';

/** What the engine reports of a session. Times are seconds since the session's first media. */
export type EngineReport =
  | { readonly kind: 'media'; readonly state: MediaState }
  | {
      readonly kind: 'voice_activity';
      readonly start: number;
      readonly end: number;
      readonly speaking: boolean;
      /** Level in dB relative to full scale, at most 0; silence is -127. */
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
  /** Answers an offer; a second offer renegotiates. `report` is called until the session is closed. */
  readonly negotiate: (
    session: SessionId,
    sdp: string,
    report: (report: EngineReport) => void,
  ) => TaskEither<InvalidSdp | EngineUnavailable, { readonly sdp: string }>;
  readonly addCandidate: (
    session: SessionId,
    candidate: IceCandidate,
  ) => TaskEither<InvalidIceCandidate | EngineUnavailable, void>;
  /** Ends a session's media and frees its resources; nothing is reported afterwards. Ignores unknown sessions. */
  readonly close: (session: SessionId) => TaskEither<EngineUnavailable, void>;
  /** Ends all sessions. */
  readonly shutDown: () => Promise<void>;
}

/** A STUN or TURN server, in the form of `RTCPeerConnection`. */
export interface IceServer {
  readonly urls: ReadonlyArray<string>;
  readonly username?: string;
  readonly credential?: string;
}

/** The servers that a session may use until it expires. */
export type IceServers = (session_id: SessionId, expires_at: Timestamp) => ReadonlyArray<IceServer>;
