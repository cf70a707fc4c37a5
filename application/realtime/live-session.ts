import type { Credits } from '../../domain/kernel/credits.js';
import { type AccountId, SessionId } from '../../domain/kernel/ids.js';
import { type Timestamp, secondsBetween } from '../../domain/kernel/timestamp.js';
import type { MediaState } from '../ports/realtime-engine.js';
import type { Caller } from '../request-context.js';
import type { ResultsStream } from './results-stream.js';

/** A session that this process holds: what is known of it beside its events. */
export interface LiveSession {
  readonly session_id: SessionId;
  readonly account_id: AccountId;
  readonly price_per_minute: Credits;
  /** Who created it, with which request: what the session does by itself is done in their name. */
  readonly caller: Caller;
  readonly request_id: string;
  readonly results: ResultsStream;
  media: MediaState | null;
  first_media_at: Timestamp | null;
  metered_seconds: number;
  /** Whether the listener was told that the credit runs low. */
  warned: boolean;
  /** Running timers, by what they wait for. */
  readonly waits: Map<string, () => void>;
}

/** The sessions that this process holds. */
export type LiveSessions = Map<SessionId, LiveSession>;

/** Whether a hold is for a session that this process holds: what these use that is not booked yet it knows by itself. */
export const isHeldHere =
  ({ live }: { readonly live: LiveSessions }) =>
  (hold_id: string): boolean =>
    SessionId.is(hold_id) && live.has(hold_id);

/** Seconds since the first media; 0 before it. */
export const elapsedSeconds = ({ first_media_at }: LiveSession, now: Timestamp): number =>
  first_media_at === null ? 0 : Math.max(0, secondsBetween(first_media_at, now));

/** Stops a wait, or all. */
export const stopWaiting = ({ waits }: LiveSession, name: string | null = null): void => {
  for (const [running, cancel] of waits) {
    if (name !== null && running !== name) continue;
    cancel();
    waits.delete(running);
  }
};
