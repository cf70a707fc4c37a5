import type { Erased } from '../kernel/erased.js';
import type { AccountId, AudioId, RunId, SpeakerId, VideoId } from '../kernel/ids.js';
import type { MediaKind, ProcessingStatus } from '../kernel/media.js';
import { type Timestamp, laterThan } from '../kernel/timestamp.js';
import type { NamedBy } from '../kernel/names.js';
import type { SharedRevert } from '../kernel/shared-revert.js';
import type { RoleBy } from './changes.js';
import type { Chunks, DealPerson, RecordedSpeaker } from './events.js';

export interface Speaker extends RecordedSpeaker {
  /** Whose name it is: an analysis overwrites its own alone. */
  readonly named_by: NamedBy;
  /** Who set or cleared the role: an analysis overwrites its own alone. */
  readonly role_by: RoleBy;
  /** When the name last changed; null before the first change. */
  readonly renamed_at: Timestamp | null;
  /** A revert put the name back: it is carried over to the face only where the undone change was. */
  readonly name_put_back: boolean;
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
  readonly name: string | null;
  readonly merged_into: SpeakerId | null;
  readonly at: Timestamp;
}

export interface RegisteredAudio {
  readonly _tag: 'Registered';
  readonly audio_id: AudioId;
  readonly owner_id: AccountId;
  readonly kind: MediaKind;
  readonly title: string | null;
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
  /** The last reverts that the video has a part in, oldest first. */
  readonly shared_reverts: ReadonlyArray<SharedRevert>;
}

export type AudioState = { readonly _tag: 'Unregistered' } | RegisteredAudio | Erased;

/** When a speaker was last renamed or withdrawn; null when none was. */
export const lastRenaming = ({ speakers, withdrawn }: RegisteredAudio): Timestamp | null =>
  [
    ...[...speakers.values()].map(({ renamed_at }) => renamed_at),
    ...[...withdrawn.turns, ...withdrawn.transcript].map(({ at }) => at),
  ].reduce<Timestamp | null>((last, at) => (last === null || (at ?? '') > last ? at : last), null);

/** Later than every name that the decision was made on: so dates are in the order of decisions. */
export const datedLast = (at: Timestamp, state: RegisteredAudio): Timestamp => laterThan(at, [lastRenaming(state)]);
