import type { Erased } from '../kernel/erased.js';
import type { AccountId, AudioId, RunId, SpeakerId, VideoId } from '../kernel/ids.js';
import type { MediaKind, ProcessingStatus } from '../kernel/media.js';
import { type Timestamp, laterThan } from '../kernel/timestamp.js';
import type { NamedBy } from '../kernel/names.js';
import type { SharedRevert } from '../kernel/edit.js';
import { type RenumberedAt, type Renumbering, renumberedAfter } from '../kernel/renumbering.js';
import type { RoleBy } from './changes.js';
import type { Chunks, DealPerson, RecordedSpeaker } from './events.js';

export interface Speaker extends RecordedSpeaker {
  /** Who gave the name. An analysis overwrites only names that an analysis gave. */
  readonly named_by: NamedBy;
  /** Who set or cleared the role. An analysis overwrites only roles that an analysis set. */
  readonly role_by: RoleBy;
  /** When the name last changed; null if never. */
  readonly renamed_at: Timestamp | null;
  /** A revert restored the name. It is passed on to the face only if the undone change was. */
  readonly name_put_back: boolean;
}

/** The attributes of a speaker that the record shows. */
export const recordedSpeaker = ({ speaker_id, name, role, synthetic, deal_person_id }: Speaker): RecordedSpeaker => ({
  speaker_id,
  name,
  role,
  synthetic,
  deal_person_id,
});

/** A speaker that was merged or deleted. */
export interface WithdrawnSpeaker {
  readonly kind: 'withdrawn';
  readonly speaker_id: SpeakerId;
  readonly name: string | null;
  readonly merged_into: SpeakerId | null;
  readonly at: Timestamp;
}

/** What changed whose the recorded ids of speakers are. */
export type SpeakerChange = WithdrawnSpeaker | ({ readonly kind: 'renumbered' } & Renumbering<SpeakerId>);

/** The last completed analysis, with which the next one is compared. */
export interface CompletedAnalysis {
  readonly turns: Chunks | null;
  readonly changes: ReadonlyArray<SpeakerChange>;
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
  readonly completed: CompletedAnalysis | null;
  /** All renumberings, oldest first. */
  readonly renumberings: ReadonlyArray<RenumberedAt<SpeakerId>>;
  /** The revision at which the video was linked: it follows the renumberings after it. */
  readonly linked_at: number;
  /** What changed, in order, since the turns and the transcript were recorded. These still contain the ids of then. */
  readonly changes: {
    readonly turns: ReadonlyArray<SpeakerChange>;
    readonly transcript: ReadonlyArray<SpeakerChange>;
  };
  readonly turns: Chunks | null;
  readonly transcript: Chunks | null;
  readonly provider_supplied: boolean;
  /** The transcript that replaced the analysed one. With it, the audio is ineligible for name inference. */
  readonly replaced_by: string | null;
  readonly speech_segments: string | null;
  /** Name inferences whose results were written. */
  readonly inferences: ReadonlySet<RunId>;
  /** The latest reverts that also concern the video, oldest first. */
  readonly shared_reverts: ReadonlyArray<SharedRevert>;
}

export type AudioState = { readonly _tag: 'Unregistered' } | RegisteredAudio | Erased;

/** When a speaker was last renamed or withdrawn; null if never. */
export const lastRenamedAt = ({ speakers, changes }: RegisteredAudio): Timestamp | null =>
  [
    ...[...speakers.values()].map(({ renamed_at }) => renamed_at),
    ...[...changes.turns, ...changes.transcript].flatMap((change) => (change.kind === 'withdrawn' ? [change.at] : [])),
  ].reduce<Timestamp | null>((last, at) => (last === null || (at ?? '') > last ? at : last), null);

/** Returns `at`, or a later time so that it follows the dates of all names. */
export const laterThanAllNames = (at: Timestamp, state: RegisteredAudio): Timestamp =>
  laterThan(at, [lastRenamedAt(state)]);

/** The revision of the last renumbering that the linked video follows; -1 if there is none. */
export const lastRenumbering = ({ renumberings, linked_at }: RegisteredAudio): number =>
  renumberedAfter(renumberings, linked_at).at(-1)?.revision ?? -1;

/** Names the state of the speakers with which a new analysis is compared. */
export const comparedState = ({ analysis_id, completed, speakers }: RegisteredAudio): string =>
  `${analysis_id} ${completed?.changes.length ?? 0} ${speakers.size}`;
