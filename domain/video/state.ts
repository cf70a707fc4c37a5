import type { Erased } from '../kernel/erased.js';
import type { AccountId, AudioId, FaceId, RunId, SpeakerId, VideoId } from '../kernel/ids.js';
import type { MediaKind, ProcessingStatus } from '../kernel/media.js';
import type { Timestamp } from '../kernel/timestamp.js';
import type { SharedRevert } from '../kernel/edit.js';
import type { RenumberedAt } from '../kernel/renumbering.js';
import type { BucketedMap } from '../kernel/bucketed-map.js';
import type { TagKey, StandingTag } from '../tag-registry/tag.js';
import type { NamedBy } from '../kernel/names.js';
import type { MatchMode } from './events.js';
import type { FaceAttributes, FaceChange } from './face.js';
import type { RuledOut } from './ruled-out.js';

/** A name given by a person or by the video's own analysis, not taken from a speaker. */
export interface OwnName {
  readonly name: string | null;
  readonly named_by: NamedBy;
}

/** Newest last. */
export type OwnNames = ReadonlyArray<OwnName>;

/**
 * The relation of a face's name to its speaker's: independent (`own`, also if the speaker's name replaced it later),
 * taken from the speaker at the match (`adopted`), or given by a person to both (`shared`).
 */
export type NameOrigin = 'own' | 'adopted' | 'shared';

export interface Face extends FaceAttributes {
  readonly face_id: FaceId;
  /** Who gave the name. An analysis overwrites only names that an analysis gave. */
  readonly named_by: NamedBy;
  /** When face and speaker last got their present names; null: every renaming of the speaker is later. */
  readonly named_at: Timestamp | null;
  readonly name_origin: NameOrigin;
  /** Names that did not come from speakers. */
  readonly own: OwnNames;
}

/** A run that has not yet answered with its own id. */
export interface OpenRun {
  readonly run_id: RunId;
  readonly mode: MatchMode;
  readonly target_speaker_ids: ReadonlyArray<SpeakerId> | null;
  readonly queued_at: Timestamp;
  /** The revision of the video's trigger: the run's answer uses the ids of then. */
  readonly revision: number;
  /** A newer trigger replaced it. It may still send write-backs without a run id. */
  readonly superseded: boolean;
  /** A write-back without run id was attributed to it. */
  readonly assumed: { readonly changes: ReadonlyArray<FaceChange> } | null;
}

/** `speaker_face_match` as stored (specification, section 3). */
export interface StoredMatch {
  readonly status: 'queue' | 'completed' | 'failed' | null;
  readonly queued_at: Timestamp | null;
  readonly mode: MatchMode | null;
  readonly run_id: RunId | null;
}

export interface RegisteredVideo {
  readonly _tag: 'Registered';
  readonly video_id: VideoId;
  readonly owner_id: AccountId;
  readonly kind: MediaKind;
  readonly title: string | null;
  readonly media_url: string | null;
  readonly audio_id: AudioId | null;
  readonly status: ProcessingStatus;
  readonly analysis_id: string | null;
  readonly tracks: { readonly first_revision: number; readonly parts: number } | null;
  /** The tracks of the last completed analysis, with which the next one is compared; null before the first. */
  readonly completed: { readonly tracks: RegisteredVideo['tracks'] } | null;
  /** The renumberings of faces by analyses of the video, and of speakers by those of the audio, oldest first. */
  readonly renumberings: {
    readonly faces: ReadonlyArray<RenumberedAt<FaceId>>;
    readonly speakers: ReadonlyArray<RenumberedAt<SpeakerId> & { readonly audio_revision: number }>;
  };
  /** When faces or speakers were last renumbered; null if never. */
  readonly renumbered_at: Timestamp | null;
  readonly faces: ReadonlyMap<FaceId, Face>;
  readonly match: StoredMatch;
  /** Oldest first. */
  readonly open_runs: ReadonlyArray<OpenRun>;
  readonly ruled_out: RuledOut;
  readonly tags: BucketedMap<TagKey, StandingTag>;
  /** The latest reverts that also concern the audio, oldest first. */
  readonly shared_reverts: ReadonlyArray<SharedRevert>;
}

export type VideoState = { readonly _tag: 'Unregistered' } | RegisteredVideo | Erased;

/** The audio's revision of the last renumbering of speakers that the video has followed; -1 if there was none. */
export const lastFollowed = ({ renumberings }: RegisteredVideo): number =>
  renumberings.speakers.at(-1)?.audio_revision ?? -1;

/** Names the state of the faces with which a new analysis is compared. */
export const comparedState = ({ analysis_id }: RegisteredVideo): string => analysis_id ?? '';
