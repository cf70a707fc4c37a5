import type { AccountId, AudioId, RunId, SpeakerId, VideoId } from '../kernel/ids.js';
import type { MediaKind, ProcessingStatus } from '../kernel/media.js';
import { type Timestamp, laterThan } from '../kernel/timestamp.js';
import type { Chunks, DealPerson, RecordedSpeaker } from './events.js';

export interface Speaker extends RecordedSpeaker {
  /** Somebody gave the name: no analysis overwrites it. */
  readonly named_by_edit: boolean;
  /** Somebody set or cleared the role: no analysis overwrites it. */
  readonly role_by_edit: boolean;
  /** When the name last changed; null before the first change. */
  readonly renamed_at: Timestamp | null;
}

/** What the record shows of a speaker. */
export const recordedSpeaker = ({ speaker_id, name, role, synthetic, deal_person_id }: Speaker): RecordedSpeaker => ({
  speaker_id,
  name,
  role,
  synthetic,
  deal_person_id,
});

export interface WithdrawnSpeaker {
  readonly speaker_id: SpeakerId;
  readonly merged_into: SpeakerId | null;
  readonly at: Timestamp;
}

export interface RegisteredAudio {
  readonly _tag: 'Registered';
  readonly audio_id: AudioId;
  readonly owner_id: AccountId;
  readonly kind: MediaKind;
  readonly video_id: VideoId | null;
  readonly deal_persons: ReadonlyArray<DealPerson>;
  readonly status: ProcessingStatus;
  readonly analysis_id: string | null;
  readonly speakers: ReadonlyMap<SpeakerId, Speaker>;
  /**
   * Speakers that were merged into others or deleted, in order, since the turns and since the transcript were recorded:
   * these still name them.
   */
  readonly withdrawn: {
    readonly turns: ReadonlyArray<WithdrawnSpeaker>;
    readonly transcript: ReadonlyArray<WithdrawnSpeaker>;
  };
  readonly turns: Chunks | null;
  readonly transcript: Chunks | null;
  readonly provider_supplied: boolean;
  /** The transcript that replaced the analysed one; from then on the audio is ineligible for name inference. */
  readonly replaced_by: string | null;
  readonly speech_segments: string | null;
  /** The committing name inferences that were written. */
  readonly inferences: ReadonlySet<RunId>;
}

export type AudioState = { readonly _tag: 'Unregistered' } | RegisteredAudio;

/** When a speaker was last renamed; null when none was. */
export const lastRenaming = ({ speakers }: RegisteredAudio): Timestamp | null =>
  [...speakers.values()].reduce<Timestamp | null>(
    (last, { renamed_at }) => (last === null || (renamed_at ?? '') > last ? renamed_at : last),
    null,
  );

/** Later than every name that the decision was made on: so dates are in the order of decisions. */
export const datedLast = (at: Timestamp, state: RegisteredAudio): Timestamp => laterThan(at, [lastRenaming(state)]);
