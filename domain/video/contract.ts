import * as t from 'io-ts';
import type { MediumErased } from '../kernel/erased.js';
import { nullable } from '../kernel/event-codecs.js';
import { NamedId } from '../kernel/ids.js';
import type { AccountId, AudioId, FaceId, RunId, SpeakerId, VideoId } from '../kernel/ids.js';
import type { JsonObject } from '../kernel/json.js';
import type { MediaKind, ProcessingStatus } from '../kernel/media.js';
import { type GivenName, NameText, type Naming, type PersonName } from '../kernel/names.js';
import type { RecordFields } from '../kernel/record-fields.js';
import type { Timestamp } from '../kernel/timestamp.js';
import type { ResolvedTag, TagKey, TagSource, TagsRefused } from '../tag-registry/tag.js';
import type { AudioFacts } from './audio-facts.js';
import type { QueueMatchRun } from './queue-command.js';
import type { EraseVideo, ForgetAudio } from './erasure-commands.js';
import type { RevertMatchRun, RevertVideoChange } from './revert-commands.js';
import type { MatchChannel, UnmatchedSpeaker } from './suggestion-block.js';

/** One pair of PUT speaker-face-match (specification, section 2.3). */
export const Mapping = t.intersection(
  [t.type({ face_id: NamedId, speaker_id: NamedId }), t.partial({ name: nullable(NameText) })],
  'Mapping',
);
export type Mapping = t.TypeOf<typeof Mapping>;

export interface ProposedMatch {
  readonly face_id: FaceId;
  readonly speaker_id: SpeakerId;
  readonly accuracy: number;
  readonly channel: MatchChannel;
  readonly evidence: JsonObject;
}

export interface AnalysedFace {
  readonly face_id: FaceId;
  readonly name: string | null;
  /** Undefined: this analysis says nothing of them. */
  readonly personality_traits: JsonObject | null | undefined;
}

export type WorkerAnswer =
  | {
      readonly status: 'completed';
      readonly matches: ReadonlyArray<ProposedMatch>;
      readonly unmatched_speakers: ReadonlyArray<UnmatchedSpeaker>;
    }
  | { readonly status: 'failed'; readonly error: string };

export interface RegisterVideo {
  readonly type: 'RegisterVideo';
  readonly video_id: VideoId;
  readonly owner_id: AccountId;
  readonly title: string | null;
  readonly kind: MediaKind;
  readonly media_url: string | null;
  readonly audio_id: AudioId | null;
}
/** Undefined: stays as it is. */
export interface ChangeVideoDetails {
  readonly type: 'ChangeVideoDetails';
  readonly title: string | null | undefined;
  readonly media_url: string | null | undefined;
  readonly at: Timestamp;
}
export interface AssociateAudio {
  readonly type: 'AssociateAudio';
  readonly audio_id: AudioId;
  readonly owner_id: AccountId;
  readonly title: string | null;
  readonly kind: MediaKind;
  readonly deal_persons: ReadonlyArray<{ readonly person_id: string; readonly name: string }>;
}
/** Takes an association back whose audio could not be registered. */
export interface DissociateAudio {
  readonly type: 'DissociateAudio';
  readonly audio_id: AudioId;
}
export interface RecordVideoAnalysis {
  readonly type: 'RecordVideoAnalysis';
  readonly status: ProcessingStatus;
  /** A digest of the analysis: the same analysis again changes nothing. */
  readonly analysis_id: string;
  readonly faces: ReadonlyArray<AnalysedFace>;
  readonly tracks: { readonly first_revision: number; readonly parts: number } | null;
  readonly at: Timestamp;
}
export interface RecordPersonalityTraits {
  readonly type: 'RecordPersonalityTraits';
  readonly face_id: FaceId;
  readonly personality_traits: JsonObject;
}
export interface RenameFaces {
  readonly type: 'RenameFaces';
  readonly faces: ReadonlyArray<{ readonly face_id: FaceId; readonly name: PersonName }>;
  readonly at: Timestamp;
}
/** The ripple of renamed speakers onto the faces that are matched to them. */
export interface FollowSpeakerNames {
  readonly type: 'FollowSpeakerNames';
  readonly audio_id: AudioId;
  readonly audio_revision: number;
  /** A claimed name is the one that the speaker had, now as a person's: no face gets another name by that. */
  readonly speakers: ReadonlyArray<GivenName & { readonly speaker_id: SpeakerId; readonly claimed: boolean }>;
  /** These are the names by now, not at a time: a face that adopted an older one takes them however it is dated. */
  readonly current: boolean;
  /** When the speakers were renamed: a face named later keeps its name. */
  readonly at: Timestamp;
}
/** The ripple of a speaker that was deleted, merged, or not found by a later analysis. */
export interface WithdrawSpeaker {
  readonly type: 'WithdrawSpeaker';
  readonly speaker_id: SpeakerId;
  /** What the speaker was called, which its face may be called after. */
  readonly name: string | null;
  readonly merged_into: (Naming & { readonly speaker_id: SpeakerId }) | null;
  readonly at: Timestamp;
}
export interface MatchFaces {
  readonly type: 'MatchFaces';
  readonly mappings: ReadonlyArray<Mapping>;
  /** Null when the video has no audio or its audio does not exist. */
  readonly audio: AudioFacts | null;
  readonly at: Timestamp;
}
/** What a person decides of a speaker: whose face is theirs, or is not, or (null) that they are not to be seen. */
export interface LinkDecision {
  readonly speaker_id: number;
  readonly face_id: number | null;
  readonly verdict: 'confirmed' | 'rejected';
}
export interface DecideLinks {
  readonly type: 'DecideLinks';
  /** None is rejected without a face. */
  readonly decisions: ReadonlyArray<LinkDecision>;
  readonly audio: AudioFacts | null;
  readonly at: Timestamp;
}
/** DELETE of a face's match. */
export interface UnmatchFace {
  readonly type: 'UnmatchFace';
  readonly face_id: number;
  readonly at: Timestamp;
}
export interface ReceiveWriteBack {
  readonly type: 'ReceiveWriteBack';
  readonly run_id: RunId | null;
  /** The id of the run to book on when there is no other. */
  readonly unattributed_run_id: RunId;
  readonly answer: WorkerAnswer;
  readonly audio: AudioFacts | null;
  readonly stale_seconds: number;
  readonly at: Timestamp;
}
/** The tags of one request, each key once, as the registry resolves them. */
export interface WriteTags {
  readonly type: 'WriteTags';
  readonly source: TagSource;
  readonly tags: ReadonlyArray<ResolvedTag>;
  readonly at: Timestamp;
}
/** A user takes a tag away. */
export interface RemoveTag {
  readonly type: 'RemoveTag';
  readonly key: TagKey;
  readonly at: Timestamp;
}

export type VideoCommand =
  | RegisterVideo
  | ChangeVideoDetails
  | AssociateAudio
  | DissociateAudio
  | RecordVideoAnalysis
  | RecordPersonalityTraits
  | RenameFaces
  | FollowSpeakerNames
  | WithdrawSpeaker
  | MatchFaces
  | DecideLinks
  | QueueMatchRun
  | ReceiveWriteBack
  | RevertMatchRun
  | RevertVideoChange
  | UnmatchFace
  | WriteTags
  | RemoveTag
  | EraseVideo
  | ForgetAudio;

export type VideoRefusal =
  | { readonly _tag: 'VideoExists'; readonly video_id: VideoId }
  | { readonly _tag: 'UnknownVideo' }
  | MediumErased
  | { readonly _tag: 'AudioAlreadyAssociated'; readonly audio_id: AudioId }
  | { readonly _tag: 'AudioMissing' }
  | { readonly _tag: 'DuplicateFace'; readonly face_id: number }
  | { readonly _tag: 'DuplicateSpeaker'; readonly speaker_id: number }
  | { readonly _tag: 'InvalidFace'; readonly face_id: number }
  | { readonly _tag: 'InvalidSpeaker'; readonly speaker_id: number }
  | { readonly _tag: 'EmptyMappings' }
  | { readonly _tag: 'EmptyDecisions' }
  | { readonly _tag: 'DuplicateDecision'; readonly speaker_id: number; readonly face_id: number | null }
  | { readonly _tag: 'TooManyDecisions'; readonly most: number }
  | { readonly _tag: 'VideoUnprocessed'; readonly status: ProcessingStatus }
  | { readonly _tag: 'EmptyTargets' }
  | { readonly _tag: 'TargetNotInAudio'; readonly speaker_id: number }
  | { readonly _tag: 'MediaNotCompleted'; readonly medium: 'video' | 'audio'; readonly status: ProcessingStatus }
  | { readonly _tag: 'RunInFlight'; readonly run_id: RunId | null; readonly queued_at: Timestamp }
  | { readonly _tag: 'RunNotOpen'; readonly run_id: RunId }
  | { readonly _tag: 'RunSuperseded'; readonly run_id: RunId }
  | { readonly _tag: 'SpeakerNotTargeted'; readonly speaker_id: SpeakerId }
  /** Nothing that was changed then can be put back: it stands as before, or was changed since. */
  | { readonly _tag: 'NothingToRevert'; readonly changed_since: ReadonlyArray<RecordFields> }
  | { readonly _tag: 'NoRunToFail'; readonly run_id: RunId | null }
  | TagsRefused
  /** What is written and what it replaces is too much for one event. */
  | { readonly _tag: 'TagsTooLarge'; readonly most_bytes: number }
  | { readonly _tag: 'UnknownTag'; readonly key: string };
