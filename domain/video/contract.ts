import type { CommandOf, Tagged } from '../kernel/decider.js';
import * as t from 'io-ts';
import { JsonObject, nullable } from '../kernel/recorded-event.js';
import { type AudioId, type RunId, type SpeakerId, type VideoId, FaceId } from '../kernel/ids.js';
import type { ProcessingStatus } from '../kernel/media.js';
import type { GivenName, Naming, PersonName } from '../kernel/names.js';
import type { Alignment } from '../kernel/renumbering.js';
import type { Timestamp } from '../kernel/timestamp.js';
import type { ResolvedTag, TagSource, TagsRefused } from '../tag-registry/contract.js';
import type { WorkerAnswer } from './write-back.js';
import type { VideoEvent, VideoData } from './events.js';
import type { RecordFields, RenumberedSince } from '../kernel/edit.js';
import type { VideoChanges, FaceChange } from './changes.js';
import type { Either } from 'fp-ts/lib/Either.js';
import type { MediumErased } from '../kernel/erased.js';

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

export interface RevertMatchRun {
  readonly type: 'RevertMatchRun';
  readonly run_id: RunId;
  /** The changes of the run's write-back. */
  readonly changes: ReadonlyArray<FaceChange>;
  /** The revision at which they were made. */
  readonly revision: number;
  readonly audio: AudioFacts | null;
  readonly at: Timestamp;
}
/** Undoes a change of the video, and passes the audio's part on to the audio. */
export interface RevertVideoChange {
  readonly type: 'RevertVideoChange';
  readonly position: string;
  readonly change_id: string;
  /** The changes of the video. */
  readonly changes: VideoChanges;
  /** The revision at which they were made. */
  readonly revision: number;
  readonly run_id: RunId | null;
  readonly cause: VideoData<'VideoChangeReverted'>['cause'];
  /** The part to restore on the audio; null if there is none. */
  readonly other: VideoData<'VideoChangeReverted'>['audio'];
  /** Fields of the audio that cannot be restored. */
  readonly changed_since: ReadonlyArray<RecordFields>;
  readonly audio: AudioFacts | null;
  readonly at: Timestamp;
}

/** Erases the video permanently. */
type EraseVideo = CommandOf<'EraseVideo', { at: Timestamp }>;
/** The video's audio was erased: removes everything that came from it. */
export type ForgetAudio = CommandOf<'ForgetAudio', { audio_id: AudioId; at: Timestamp }>;

/** POST speaker-face-match, in both modes (specification, sections 3 and 4.3). */
export interface QueueMatchRun extends Omit<VideoData<'MatchRunQueued'>, 'audio_id' | 'supersedes'> {
  readonly type: 'QueueMatchRun';
  readonly audio: AudioFacts | null;
  readonly stale_seconds: number;
}

/** One pair of PUT speaker-face-match (specification, section 2.3). */
export interface Mapping {
  readonly face_id: number;
  readonly speaker_id: number;
  readonly name?: string | null;
}

export const AnalysedFace = t.type({
  face_id: FaceId,
  name: nullable(t.string),
  /** Undefined: not part of this analysis. */
  personality_traits: t.union([JsonObject, t.null, t.undefined]),
});
export type AnalysedFace = t.TypeOf<typeof AnalysedFace>;

export type RegisterVideo = CommandOf<'RegisterVideo', VideoData<'VideoRegistered'>>;
/** Undefined: unchanged. */
export type ChangeVideoDetails = CommandOf<
  'ChangeVideoDetails',
  { title: string | null | undefined; media_url: string | null | undefined; at: Timestamp }
>;
export type AssociateAudio = CommandOf<'AssociateAudio', VideoData<'AudioAssociated'>>;
/** Undoes an association because the audio could not be registered. */
export type DissociateAudio = CommandOf<'DissociateAudio', VideoData<'AudioDissociated'>>;
/** `analysis_id`: digest of the analysis. The same analysis again changes nothing. */
export interface RecordVideoAnalysis extends Pick<
  VideoData<'VideoAnalysisRecorded'>,
  'status' | 'analysis_id' | 'tracks' | 'at'
> {
  readonly type: 'RecordVideoAnalysis';
  readonly faces: ReadonlyArray<AnalysedFace>;
  /** Which faces continue which earlier ones, by their seconds; null: each number stays as it is. */
  readonly alignment: Alignment<FaceId> | null;
}
/** Follows an analysis of the audio that numbers the speakers differently. */
export type FollowRenumbering = CommandOf<'FollowRenumbering', VideoData<'SpeakersRenumbered'>>;
export type RecordPersonalityTraits = CommandOf<'RecordPersonalityTraits', VideoData<'PersonalityTraitsRecorded'>>;
export interface RenameFaces {
  readonly type: 'RenameFaces';
  readonly faces: ReadonlyArray<{ readonly face_id: FaceId; readonly name: PersonName }>;
  readonly at: Timestamp;
}
/** Passes new names of speakers on to their matched faces. */
export interface FollowSpeakerNames {
  readonly type: 'FollowSpeakerNames';
  readonly audio_id: AudioId;
  readonly audio_revision: number;
  /** `claimed`: a person confirmed the speaker's existing name, so no face gets another name. */
  readonly speakers: ReadonlyArray<GivenName & { readonly speaker_id: SpeakerId; readonly claimed: boolean }>;
  /**
   * The names are the current ones, not those at a past time: a face with an adopted name takes them, even if that name
   * has a later date.
   */
  readonly current: boolean;
  /** When the speakers were renamed. A face named later keeps its name. */
  readonly at: Timestamp;
}
/** Removes or hands over the matches of a speaker that was deleted, merged, or not found by a later analysis. */
export interface WithdrawSpeaker {
  readonly type: 'WithdrawSpeaker';
  /** The revision of the audio whose ids these are. */
  readonly audio_revision: number;
  readonly speaker_id: SpeakerId;
  /** The speaker's last name, which its face may have adopted. */
  readonly name: string | null;
  readonly merged_into: (Naming & { readonly speaker_id: SpeakerId }) | null;
  readonly at: Timestamp;
}
export interface MatchFaces {
  readonly type: 'MatchFaces';
  readonly mappings: ReadonlyArray<Mapping>;
  /** Null if the video has no audio or the audio does not exist. */
  readonly audio: AudioFacts | null;
  readonly at: Timestamp;
}
/**
 * A person's decision about a speaker: this face is theirs, is not theirs, or (without a face) the speaker is not
 * visible.
 */
export interface LinkDecision {
  readonly speaker_id: number;
  readonly face_id: number | null;
  readonly verdict: 'confirmed' | 'rejected';
}
export interface DecideLinks {
  readonly type: 'DecideLinks';
  /** `rejected` always has a face. */
  readonly decisions: ReadonlyArray<LinkDecision>;
  readonly audio: AudioFacts | null;
  readonly at: Timestamp;
}
/** DELETE of a face's match. */
export type UnmatchFace = CommandOf<'UnmatchFace', { face_id: number; at: Timestamp }>;
export interface ReceiveWriteBack {
  readonly type: 'ReceiveWriteBack';
  readonly run_id: RunId | null;
  /** The id of the run to create if the write-back belongs to no run. */
  readonly unattributed_run_id: RunId;
  readonly answer: WorkerAnswer;
  /** The revision of the video whose ids the answer uses; null: that of the run's trigger. */
  readonly video_revision: number | null;
  readonly audio: AudioFacts | null;
  readonly stale_seconds: number;
  readonly at: Timestamp;
}
/** The tags of one request, each key once, resolved by the registry. */
export type WriteTags = CommandOf<'WriteTags', { source: TagSource; tags: ReadonlyArray<ResolvedTag>; at: Timestamp }>;
/** A user removes a tag. */
export type RemoveTag = CommandOf<'RemoveTag', Omit<VideoData<'TagRemoved'>, 'previous'>>;

export type VideoCommand =
  | RegisterVideo
  | ChangeVideoDetails
  | AssociateAudio
  | DissociateAudio
  | RecordVideoAnalysis
  | FollowRenumbering
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

/** The speakers were renumbered between the states of audio and video that the command is decided on. */
export type SpeakersNotFollowed = Tagged<'SpeakersNotFollowed'>;

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
  /** The analysis was compared with faces that have changed since. */
  | { readonly _tag: 'ComparedWithOthers' }
  | SpeakersNotFollowed
  | RenumberedSince
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
  /** Nothing can be restored: everything already has its earlier value or was changed since. */
  | { readonly _tag: 'NothingToRevert'; readonly changed_since: ReadonlyArray<RecordFields> }
  | { readonly _tag: 'NoRunToFail'; readonly run_id: RunId | null }
  | TagsRefused
  | { readonly _tag: 'TooManyTags'; readonly most: number }
  | { readonly _tag: 'UnknownTag'; readonly key: string };

const onAudio = 'SpeakersNotFollowed';

/** The refusals that each command can get if the video exists. A decision with another refusal does not compile. */
export const videoRefusals = {
  RegisterVideo: ['VideoExists'],
  ChangeVideoDetails: [],
  AssociateAudio: ['AudioAlreadyAssociated'],
  DissociateAudio: [],
  RecordVideoAnalysis: ['DuplicateFace', 'ComparedWithOthers'],
  FollowRenumbering: [],
  RecordPersonalityTraits: ['InvalidFace'],
  RenameFaces: ['InvalidFace', 'DuplicateFace'],
  FollowSpeakerNames: [],
  WithdrawSpeaker: [],
  MatchFaces: [
    onAudio,
    'EmptyMappings',
    'DuplicateFace',
    'DuplicateSpeaker',
    'AudioMissing',
    'VideoUnprocessed',
    'InvalidFace',
    'InvalidSpeaker',
  ],
  DecideLinks: [
    onAudio,
    'EmptyDecisions',
    'DuplicateDecision',
    'AudioMissing',
    'VideoUnprocessed',
    'InvalidFace',
    'InvalidSpeaker',
    'TooManyDecisions',
  ],
  QueueMatchRun: [onAudio, 'EmptyTargets', 'TargetNotInAudio', 'AudioMissing', 'MediaNotCompleted', 'RunInFlight'],
  ReceiveWriteBack: [
    onAudio,
    'RunNotOpen',
    'RunSuperseded',
    'NoRunToFail',
    'SpeakerNotTargeted',
    'AudioMissing',
    'DuplicateFace',
    'DuplicateSpeaker',
    'InvalidFace',
    'InvalidSpeaker',
  ],
  RevertMatchRun: [onAudio, 'NothingToRevert', 'NotRevertible'],
  RevertVideoChange: [onAudio, 'NothingToRevert', 'NotRevertible', 'TooManyDecisions'],
  UnmatchFace: ['VideoUnprocessed', 'InvalidFace'],
  WriteTags: ['TagsRefused', 'TooManyTags'],
  RemoveTag: ['UnknownTag', 'TagsRefused'],
  EraseVideo: [],
  ForgetAudio: [],
} as const satisfies Readonly<Record<VideoCommand['type'], ReadonlyArray<VideoRefusal['_tag']>>>;

/** The refusals of a command. */
export type VideoRefusalOf<Type extends VideoCommand['type']> = Extract<
  VideoRefusal,
  { readonly _tag: (typeof videoRefusals)[Type][number] | 'UnknownVideo' | 'MediumErased' }
>;

/** The result of one command, or of any. */
export type VideoDecision<Type extends VideoCommand['type'] = VideoCommand['type']> = Either<
  VideoRefusalOf<Type>,
  ReadonlyArray<VideoEvent>
>;
