import type { AudioChanges } from '../audio/changes.js';
import type { AudioId, RunId } from '../kernel/ids.js';
import type { RecordFields } from '../kernel/record-fields.js';
import type { Timestamp } from '../kernel/timestamp.js';
import type { AudioFacts } from './audio-facts.js';
import type { VideoChanges } from './changes.js';
import type { VideoEvent } from './events.js';
import type { FaceChange } from './face.js';

export interface RevertMatchRun {
  readonly type: 'RevertMatchRun';
  readonly run_id: RunId;
  /** What the run's write-back changed. */
  readonly changes: ReadonlyArray<FaceChange>;
  readonly audio: AudioFacts | null;
  readonly at: Timestamp;
}
/** Undoes a change of this record, and hands the audio its part. */
export interface RevertVideoChange {
  readonly type: 'RevertVideoChange';
  readonly position: string;
  readonly change_id: string;
  /** What the change did here. */
  readonly changes: VideoChanges;
  readonly run_id: RunId | null;
  readonly cause: Extract<VideoEvent, { type: 'VideoChangeReverted' }>['data']['cause'];
  /** What is to be put back on the audio; null when the change was not about it. */
  readonly other: {
    readonly audio_id: AudioId;
    readonly audio_revision: number;
    /** Of what the change did there, the part that can be put back. */
    readonly changes: AudioChanges;
    readonly changed_since: ReadonlyArray<RecordFields>;
  } | null;
  readonly audio: AudioFacts | null;
  readonly at: Timestamp;
}
