import type { Either } from 'fp-ts/lib/Either.js';
import type { VideoCommand, VideoRefusal } from './contract.js';
import type { VideoEvent } from './events.js';

/** What each command is refused for, where there is such a video. A decision that refuses for more does not compile. */
export const videoRefusals = {
  RegisterVideo: ['VideoExists'],
  ChangeVideoDetails: [],
  AssociateAudio: ['AudioAlreadyAssociated'],
  DissociateAudio: [],
  RecordVideoAnalysis: ['DuplicateFace'],
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
  RevertMatchRun: ['NothingToRevert'],
  RevertVideoChange: ['NothingToRevert', 'TooManyDecisions'],
  UnmatchFace: ['VideoUnprocessed', 'InvalidFace'],
  WriteTags: ['TagsRefused', 'TagsTooLarge'],
  RemoveTag: ['UnknownTag', 'TagsRefused'],
  EraseVideo: [],
  ForgetAudio: [],
} as const satisfies Readonly<Record<VideoCommand['type'], ReadonlyArray<VideoRefusal['_tag']>>>;

/** The refusals of a command. */
export type VideoRefusalOf<Type extends VideoCommand['type']> = Extract<
  VideoRefusal,
  { readonly _tag: (typeof videoRefusals)[Type][number] | 'UnknownVideo' | 'MediumErased' }
>;

/** What one command, or any, may come to. */
export type VideoDecision<Type extends VideoCommand['type'] = VideoCommand['type']> = Either<
  VideoRefusalOf<Type>,
  ReadonlyArray<VideoEvent>
>;

/** Tells the refusals of a command from others. */
export const isVideoRefusalOf =
  <Type extends VideoCommand['type']>(type: Type) =>
  (refusal: { readonly _tag: string }): refusal is VideoRefusalOf<Type> =>
    refusal._tag === 'UnknownVideo' ||
    refusal._tag === 'MediumErased' ||
    videoRefusals[type].some((tag) => tag === refusal._tag);
