import type { EngineReport } from '../../../application/ports/realtime-engine.js';

/** The options of the service's side of peer connections. A media thread gets them as its first message. */
export interface PeerOptions {
  /** STUN and TURN servers for the service's own side. None are needed where clients can reach it directly. */
  readonly iceServers: Array<{ urls: string; username?: string; credential?: string }>;
  /** Addresses to offer in addition to those of the network interfaces, such as loopback. */
  readonly additionalAddresses: string[];
  /** Offer relayed addresses only. */
  readonly relayOnly: boolean;
  /** How long a thread may take to answer a request. */
  readonly answerTimeoutMs: number;
  /** The UDP ports to use, first and last. */
  readonly portRange?: [number, number];
}

/** A candidate that a client sent after its offer, for the media section with this mid or index. */
export interface Trickled {
  readonly candidate: string;
  readonly mid: string | null;
  readonly line: number | null;
}

/** What the main thread asks of a media thread. `mediaStart`: when the session's first media came, on another thread. */
export type ThreadTask =
  | { readonly kind: 'negotiate'; readonly session: string; readonly sdp: string; readonly mediaStart: number | null }
  | ({ readonly kind: 'candidate'; readonly session: string } & Trickled)
  | { readonly kind: 'close'; readonly session: string }
  | { readonly kind: 'ping' | 'stop' };

/** `lost`: the thread has ended, failed or did not answer in time. */
export type Answer =
  | { readonly kind: 'done'; readonly sdp: string }
  | { readonly kind: 'refused' | 'lost'; readonly reason: string };

/** A request to a media thread; its answer repeats the number. */
export interface ThreadRequest {
  readonly request: number;
  readonly task: ThreadTask;
}

/** A message from a media thread: the answer to a request, a report of a session, or a fault. */
export type ThreadMessage =
  | { readonly kind: 'answer'; readonly request: number; readonly answer: Answer }
  | { readonly kind: 'report'; readonly session: string; readonly report: EngineReport }
  | { readonly kind: 'fault'; readonly reason: string };
