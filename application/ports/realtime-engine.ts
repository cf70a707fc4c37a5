import * as t from 'io-ts';
import type { Tagged } from '../../domain/kernel/decider.js';
import { Finite, nullable } from '../../domain/kernel/recorded-event.js';
import { MediaState } from '../../domain/realtime-session/contract.js';
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

const span = { start: Finite, end: Finite };

/** What the engine reports of a session, as a media thread posts it and a remote engine sends it. Times are media time. */
export const engineReports = {
  media: t.type({ kind: t.literal('media'), state: MediaState }),
  /** The level is in dB relative to full scale, at most 0; silence is -127. */
  voice_activity: t.type({ kind: t.literal('voice_activity'), ...span, speaking: t.boolean, level_dbfs: Finite }),
  /** Frames received in this time. */
  video_stats: t.type({
    kind: t.literal('video_stats'),
    ...span,
    frames: Finite,
    width: nullable(Finite),
    height: nullable(Finite),
  }),
};
export const EngineReport = t.union([engineReports.media, engineReports.voice_activity, engineReports.video_stats]);
export type EngineReport = t.TypeOf<typeof EngineReport>;

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
