import type { SpeakerId } from '../kernel/ids.js';
import type { ProcessingStatus } from '../kernel/media.js';
import type { Naming } from '../kernel/names.js';
import type { Timestamp } from '../kernel/timestamp.js';

/** What decisions about faces need to know about the audio. */
export interface AudioFacts {
  readonly status: ProcessingStatus;
  readonly speakers: ReadonlyArray<SpeakerFacts>;
  /** When a speaker was last renamed or withdrawn; null if never. */
  readonly renamed_at: Timestamp | null;
  /** The revision of the last renumbering of the speakers that the video follows; -1 if there is none. */
  readonly renumbered_at: number;
}
export interface SpeakerFacts extends Naming {
  readonly speaker_id: SpeakerId;
  readonly synthetic: boolean;
}
