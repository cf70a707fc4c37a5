import type { Either } from 'fp-ts/lib/Either.js';
import type { VideoCommand } from './contract.js';
import type { VideoEvent } from './events.js';
import type { MediumErased } from '../kernel/erased.js';
import type { AudioId, RunId, SpeakerId, VideoId } from '../kernel/ids.js';
import type { ProcessingStatus } from '../kernel/media.js';
import type { RecordFields, RenumberedSince } from '../kernel/edit.js';
import type { Timestamp } from '../kernel/timestamp.js';
import type { TagsRefused } from '../tag-registry/tag.js';

/** The speakers were renumbered between the states of audio and video that the command is decided on. */
export interface SpeakersNotFollowed {
  readonly _tag: 'SpeakersNotFollowed';
}

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
  /** The new and the replaced tags are too large for one event. */
  | { readonly _tag: 'TooManyTags'; readonly most: number }
  | { readonly _tag: 'TagsTooLarge'; readonly most_bytes: number }
  | { readonly _tag: 'UnknownTag'; readonly key: string };

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
    'EmptyMappings',
    'DuplicateFace',
    'DuplicateSpeaker',
    'AudioMissing',
    'VideoUnprocessed',
    'InvalidFace',
    'InvalidSpeaker',
  ],
  DecideLinks: [
    'EmptyDecisions',
    'DuplicateDecision',
    'AudioMissing',
    'VideoUnprocessed',
    'InvalidFace',
    'InvalidSpeaker',
    'TooManyDecisions',
  ],
  QueueMatchRun: ['EmptyTargets', 'TargetNotInAudio', 'AudioMissing', 'MediaNotCompleted', 'RunInFlight'],
  ReceiveWriteBack: [
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
  RevertMatchRun: ['NothingToRevert', 'NotRevertible'],
  RevertVideoChange: ['NothingToRevert', 'NotRevertible', 'TooManyDecisions'],
  UnmatchFace: ['VideoUnprocessed', 'InvalidFace'],
  WriteTags: ['TagsRefused', 'TooManyTags', 'TagsTooLarge'],
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

/** The result of a command on states of video and audio that may use different numbers. */
export type VideoDecisionOnAudio = Either<
  VideoRefusalOf<VideoCommand['type']> | SpeakersNotFollowed,
  ReadonlyArray<VideoEvent>
>;

/** Makes a type guard for the refusals of a command. */
export const isVideoRefusalOf =
  <Type extends VideoCommand['type']>(type: Type) =>
  (refusal: { readonly _tag: string }): refusal is VideoRefusalOf<Type> =>
    refusal._tag === 'UnknownVideo' ||
    refusal._tag === 'MediumErased' ||
    videoRefusals[type].some((tag) => tag === refusal._tag);
