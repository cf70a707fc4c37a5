import type { RunId, SpeakerId } from '../kernel/ids.js';
import type { Timestamp } from '../kernel/timestamp.js';
import type { AudioFacts } from './audio-facts.js';
import type { MatchMode } from './events.js';

/** POST speaker-face-match, both modes (specification, sections 3 and 4.3). */
export interface QueueMatchRun {
  readonly type: 'QueueMatchRun';
  readonly run_id: RunId;
  readonly mode: MatchMode;
  /** Null: all speakers. */
  readonly target_speaker_ids: ReadonlyArray<SpeakerId> | null;
  readonly audio: AudioFacts | null;
  readonly stale_seconds: number;
  readonly at: Timestamp;
}
