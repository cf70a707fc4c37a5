import type { Either } from 'fp-ts/lib/Either.js';
import type { AudioCommand, AudioRefusal } from './contract.js';
import type { AudioEvent } from './events.js';

/** What each command is refused for, where there is such an audio. A decision that refuses for more does not compile. */
export const audioRefusals = {
  RegisterAudio: ['AudioExists'],
  AttachAudio: ['AudioHasParent'],
  DetachAudio: [],
  ChangeAudioDetails: [],
  RecordAudioAnalysis: ['DuplicateSpeaker', 'UndeclaredSpeaker'],
  ReplaceTranscript: ['UndeclaredSpeaker'],
  ApplyInference: [],
  RenameSpeakers: ['DuplicateSpeaker'],
  FollowFaceMatch: [],
  SetSpeakerRoles: ['DuplicateSpeaker'],
  MergeSpeakers: ['InvalidSpeaker', 'MergeIntoItself'],
  DeleteSpeaker: ['InvalidSpeaker'],
  RevertAudioChange: ['NothingToRevert'],
  EraseAudio: [],
} as const satisfies Readonly<Record<AudioCommand['type'], ReadonlyArray<AudioRefusal['_tag']>>>;

/** The refusals of a command. */
export type AudioRefusalOf<Type extends AudioCommand['type']> = Extract<
  AudioRefusal,
  { readonly _tag: (typeof audioRefusals)[Type][number] | 'UnknownAudio' | 'MediumErased' }
>;

/** What one command, or any, may come to. */
export type AudioDecision<Type extends AudioCommand['type'] = AudioCommand['type']> = Either<
  AudioRefusalOf<Type>,
  ReadonlyArray<AudioEvent>
>;

/** Tells the refusals of a command from others. */
export const isAudioRefusalOf =
  <Type extends AudioCommand['type']>(type: Type) =>
  (refusal: { readonly _tag: string }): refusal is AudioRefusalOf<Type> =>
    refusal._tag === 'UnknownAudio' ||
    refusal._tag === 'MediumErased' ||
    audioRefusals[type].some((tag) => tag === refusal._tag);
