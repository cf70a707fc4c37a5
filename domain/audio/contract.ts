import type { CommandOf } from '../kernel/decider.js';
import type { MediumErased } from '../kernel/erased.js';
import type { AudioId, SpeakerId, VideoId } from '../kernel/ids.js';
import { SpeakerRole } from '../kernel/media.js';
import type { PersonName } from '../kernel/names.js';
import type { Alignment } from '../kernel/renumbering.js';
import type { Timestamp } from '../kernel/timestamp.js';
import type { RecordFields, RenumberedSince } from '../kernel/edit.js';
import type { AudioChanges } from './changes.js';
import { type AudioData, type AudioEvent, RecordedSpeaker } from './events.js';
import type { Either } from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';

const { deal_person_id: _person, ...heard } = RecordedSpeaker.props;

export const AnalysedSpeaker = t.type({
  ...heard,
  /** Undefined: not part of this analysis. */
  role: t.union([SpeakerRole, t.null, t.undefined]),
});
export type AnalysedSpeaker = t.TypeOf<typeof AnalysedSpeaker>;

export type RegisterAudio = CommandOf<'RegisterAudio', AudioData<'AudioRegistered'>>;
export type AttachAudio = CommandOf<'AttachAudio', AudioData<'AudioAttached'>>;
/** Undefined: unchanged. */
export type ChangeAudioDetails = CommandOf<'ChangeAudioDetails', { title: string | null | undefined; at: Timestamp }>;
/** Undoes an attachment because the video could not be registered. */
export type DetachAudio = CommandOf<'DetachAudio', { video_id: VideoId }>;
/** `analysis_id`: digest of the analysis. The same analysis again changes nothing. */
export interface RecordAudioAnalysis extends Pick<
  AudioData<'AudioAnalysisRecorded'>,
  'status' | 'analysis_id' | 'turns' | 'transcript' | 'provider_supplied' | 'speech_segments'
> {
  readonly type: 'RecordAudioAnalysis';
  readonly speakers: ReadonlyArray<AnalysedSpeaker>;
  /** The speakers referenced by turns and transcript. */
  readonly mentioned: ReadonlyArray<SpeakerId>;
  /** The analysis brings no transcript, so the present one stays. */
  readonly keeps_transcript: boolean;
  /** Which speakers continue which earlier ones, by their seconds; null: each number stays as it is. */
  readonly alignment: Alignment<SpeakerId> | null;
}
export type ReplaceTranscript = CommandOf<'ReplaceTranscript', AudioData<'TranscriptReplaced'>>;
export interface RenameSpeakers {
  readonly type: 'RenameSpeakers';
  readonly speakers: ReadonlyArray<{ readonly speaker_id: SpeakerId; readonly name: PersonName }>;
  readonly at: Timestamp;
}
/** Passes names that a person gave by matching faces on to the speakers. */
export interface FollowFaceMatch {
  readonly type: 'FollowFaceMatch';
  readonly video_id: VideoId;
  readonly video_revision: number;
  /** The last renumbering of the audio that the video had followed: these ids are those after it. */
  readonly renumbered_at: number;
  readonly speakers: ReadonlyArray<{ readonly speaker_id: SpeakerId; readonly name: string }>;
  /** When the faces were matched. A speaker renamed later keeps its name. */
  readonly at: Timestamp;
}
export interface SetSpeakerRoles {
  readonly type: 'SetSpeakerRoles';
  readonly speakers: ReadonlyArray<{ readonly speaker_id: SpeakerId; readonly role: SpeakerRole | null }>;
}
export type MergeSpeakers = CommandOf<'MergeSpeakers', { from: SpeakerId; into: SpeakerId; at: Timestamp }>;
/** Erases the audio permanently. */
export type EraseAudio = CommandOf<'EraseAudio', { at: Timestamp }>;
export type DeleteSpeaker = CommandOf<'DeleteSpeaker', { speaker_id: SpeakerId; at: Timestamp }>;

/** Undoes a change of the audio, and passes the video's part on to the video. */
export interface RevertAudioChange {
  readonly type: 'RevertAudioChange';
  readonly position: string;
  readonly change_id: string;
  /** The changes of the audio. */
  readonly changes: AudioChanges;
  /** The revision at which they were made. */
  readonly revision: number;
  readonly cause: AudioData<'AudioChangeReverted'>['cause'];
  /** The part to restore on the video; null if there is none. */
  readonly other: AudioData<'AudioChangeReverted'>['video'];
  /** Fields of the video that cannot be restored. */
  readonly changed_since: ReadonlyArray<RecordFields>;
  readonly at: Timestamp;
}

/** Writes the accepted names and roles of a name inference in commit mode. */
export interface ApplyInference extends Omit<AudioData<'NamesInferred'>, 'renamed' | 'roles'> {
  readonly type: 'ApplyInference';
  /** The last renumbering before the transcript was read: these ids are those after it. */
  readonly renumbered_at: number;
}

export type AudioCommand =
  | ApplyInference
  | ChangeAudioDetails
  | RevertAudioChange
  | RegisterAudio
  | AttachAudio
  | DetachAudio
  | RecordAudioAnalysis
  | ReplaceTranscript
  | RenameSpeakers
  | FollowFaceMatch
  | SetSpeakerRoles
  | MergeSpeakers
  | DeleteSpeaker
  | EraseAudio;

export type AudioRefusal =
  /** Nothing can be restored: everything already has its earlier value or was changed since. */
  | { readonly _tag: 'NothingToRevert'; readonly changed_since: ReadonlyArray<RecordFields> }
  | RenumberedSince
  | { readonly _tag: 'AudioExists'; readonly audio_id: AudioId }
  | { readonly _tag: 'UnknownAudio' }
  | MediumErased
  | { readonly _tag: 'AudioHasParent'; readonly video_id: VideoId }
  | { readonly _tag: 'DuplicateSpeaker'; readonly speaker_id: SpeakerId }
  | { readonly _tag: 'InvalidSpeaker'; readonly speaker_id: SpeakerId }
  | { readonly _tag: 'UndeclaredSpeaker'; readonly speaker_id: SpeakerId }
  /** The analysis was compared with speakers that have changed since. */
  | { readonly _tag: 'ComparedWithOthers' }
  | { readonly _tag: 'MergeIntoItself'; readonly speaker_id: SpeakerId };

/** The refusals that each command can get if the audio exists. A decision with another refusal does not compile. */
export const audioRefusals = {
  RegisterAudio: ['AudioExists'],
  AttachAudio: ['AudioHasParent'],
  DetachAudio: [],
  ChangeAudioDetails: [],
  RecordAudioAnalysis: ['DuplicateSpeaker', 'UndeclaredSpeaker', 'ComparedWithOthers'],
  ReplaceTranscript: ['UndeclaredSpeaker'],
  ApplyInference: [],
  RenameSpeakers: ['DuplicateSpeaker'],
  FollowFaceMatch: [],
  SetSpeakerRoles: ['DuplicateSpeaker'],
  MergeSpeakers: ['InvalidSpeaker', 'MergeIntoItself'],
  DeleteSpeaker: ['InvalidSpeaker'],
  RevertAudioChange: ['NothingToRevert', 'NotRevertible'],
  EraseAudio: [],
} as const satisfies Readonly<Record<AudioCommand['type'], ReadonlyArray<AudioRefusal['_tag']>>>;

/** The refusals of a command. */
export type AudioRefusalOf<Type extends AudioCommand['type']> = Extract<
  AudioRefusal,
  { readonly _tag: (typeof audioRefusals)[Type][number] | 'UnknownAudio' | 'MediumErased' }
>;

/** The result of one command, or of any. */
export type AudioDecision<Type extends AudioCommand['type'] = AudioCommand['type']> = Either<
  AudioRefusalOf<Type>,
  ReadonlyArray<AudioEvent>
>;
