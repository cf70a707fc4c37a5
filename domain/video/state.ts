import type { Erased } from '../kernel/erased.js';
import type { AccountId, AudioId, FaceId, RunId, SpeakerId, VideoId } from '../kernel/ids.js';
import type { MediaKind, ProcessingStatus } from '../kernel/media.js';
import type { Timestamp } from '../kernel/timestamp.js';
import type { SharedRevert } from '../kernel/shared-revert.js';
import type { BucketedMap } from '../kernel/bucketed-map.js';
import type { TagKey } from '../tag-registry/tag.js';
import type { NamedBy } from '../kernel/names.js';
import type { MatchMode } from './events.js';
import type { FaceAttributes, FaceChange } from './face.js';
import type { OwnNames } from './own-names.js';
import type { RuledOut } from './ruled-out.js';
import type { StandingTag } from './standing-tag.js';

/**
 * What a face's name has to do with its speaker's: nothing (`own`, also of one that the speaker's name replaced: it is
 * dated as that is), it was taken from the speaker at the match (`adopted`), or a person gave one name to both (`shared`).
 */
export type NameOrigin = 'own' | 'adopted' | 'shared';

export interface Face extends FaceAttributes {
  readonly face_id: FaceId;
  /** Whose name it is: an analysis of the video overwrites its own alone. */
  readonly named_by: NamedBy;
  /** The date of the change that made face and speaker be called as they are; null: any renaming of the speaker is later. */
  readonly named_at: Timestamp | null;
  readonly name_origin: NameOrigin;
  /** What it is called without its speakers. */
  readonly own: OwnNames;
}

/** A run that has not answered with its own id. */
export interface OpenRun {
  readonly run_id: RunId;
  readonly mode: MatchMode;
  readonly target_speaker_ids: ReadonlyArray<SpeakerId> | null;
  readonly queued_at: Timestamp;
  /** A newer trigger took over; it is remembered as a possible sender of write-backs without a run id. */
  readonly superseded: boolean;
  /** A write-back without run id was booked on it. */
  readonly assumed: { readonly changes: ReadonlyArray<FaceChange> } | null;
}

/** `speaker_face_match` of the record as section 3 of the specification stores it. */
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
  readonly faces: ReadonlyMap<FaceId, Face>;
  readonly match: StoredMatch;
  /** Oldest first. */
  readonly open_runs: ReadonlyArray<OpenRun>;
  readonly ruled_out: RuledOut;
  readonly tags: BucketedMap<TagKey, StandingTag>;
  /** The last reverts that the audio has a part in, oldest first. */
  readonly shared_reverts: ReadonlyArray<SharedRevert>;
}

export type VideoState = { readonly _tag: 'Unregistered' } | RegisteredVideo | Erased;
