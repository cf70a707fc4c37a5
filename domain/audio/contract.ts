import type { MediumErased } from '../kernel/erased.js';
import type { ResultRow } from '../grounding/result-row.js';
import type { AccountId, AudioId, RunId, SpeakerId, VideoId } from '../kernel/ids.js';
import type { MediaKind, ProcessingStatus, SpeakerRole } from '../kernel/media.js';
import type { PersonName } from '../kernel/names.js';
import type { Timestamp } from '../kernel/timestamp.js';
import type { RecordFields } from '../kernel/record-fields.js';
import type { VideoChanges } from '../video/changes.js';
import type { AudioChanges } from './changes.js';
import type { AudioEvent, Chunks, DealPerson } from './events.js';

export interface AnalysedSpeaker {
  readonly speaker_id: SpeakerId;
  readonly name: string | null;
  /** Undefined: this analysis says nothing of it. */
  readonly role: SpeakerRole | null | undefined;
  readonly synthetic: boolean;
}

export interface RegisterAudio {
  readonly type: 'RegisterAudio';
  readonly audio_id: AudioId;
  readonly owner_id: AccountId;
  readonly title: string | null;
  readonly kind: MediaKind;
  readonly video_id: VideoId | null;
  readonly deal_persons: ReadonlyArray<DealPerson>;
}
export interface AttachAudio {
  readonly type: 'AttachAudio';
  readonly video_id: VideoId;
  readonly owner_id: AccountId;
  readonly title: string | null;
  readonly kind: MediaKind;
  readonly media_url: string | null;
}
/** Undefined: stays as it is. */
export interface ChangeAudioDetails {
  readonly type: 'ChangeAudioDetails';
  readonly title: string | null | undefined;
  readonly at: Timestamp;
}
/** Takes an attachment back whose video could not be registered. */
export interface DetachAudio {
  readonly type: 'DetachAudio';
  readonly video_id: VideoId;
}
export interface RecordAudioAnalysis {
  readonly type: 'RecordAudioAnalysis';
  readonly status: ProcessingStatus;
  /** A digest of the analysis: the same analysis again changes nothing. */
  readonly analysis_id: string;
  readonly speakers: ReadonlyArray<AnalysedSpeaker>;
  /** The speakers that turns and transcript mention. */
  readonly mentioned: ReadonlyArray<SpeakerId>;
  readonly turns: Chunks | null;
  readonly transcript: Chunks | null;
  readonly provider_supplied: boolean;
  readonly speech_segments: string | null;
}
export interface ReplaceTranscript {
  readonly type: 'ReplaceTranscript';
  readonly transcript_id: string;
  /** Null: an empty one. */
  readonly transcript: Chunks | null;
}
export interface RenameSpeakers {
  readonly type: 'RenameSpeakers';
  readonly speakers: ReadonlyArray<{ readonly speaker_id: SpeakerId; readonly name: PersonName }>;
  readonly at: Timestamp;
}
/** The names that a person gave speakers by matching faces. */
export interface FollowFaceMatch {
  readonly type: 'FollowFaceMatch';
  readonly video_id: VideoId;
  readonly video_revision: number;
  readonly speakers: ReadonlyArray<{ readonly speaker_id: SpeakerId; readonly name: string }>;
  /** When the faces were matched: a speaker renamed later keeps its name. */
  readonly at: Timestamp;
}
export interface SetSpeakerRoles {
  readonly type: 'SetSpeakerRoles';
  readonly speakers: ReadonlyArray<{ readonly speaker_id: SpeakerId; readonly role: SpeakerRole | null }>;
}
export interface MergeSpeakers {
  readonly type: 'MergeSpeakers';
  readonly from: SpeakerId;
  readonly into: SpeakerId;
  readonly at: Timestamp;
}
/** Erases the audio for good. */
export interface EraseAudio {
  readonly type: 'EraseAudio';
  readonly at: Timestamp;
}
export interface DeleteSpeaker {
  readonly type: 'DeleteSpeaker';
  readonly speaker_id: SpeakerId;
  readonly at: Timestamp;
}

/** Undoes a change of this record, and hands the video its part. */
export interface RevertAudioChange {
  readonly type: 'RevertAudioChange';
  readonly position: string;
  readonly change_id: string;
  /** What the change did here. */
  readonly changes: AudioChanges;
  readonly cause: Extract<AudioEvent, { type: 'AudioChangeReverted' }>['data']['cause'];
  /** What is to be put back on the video; null when the change was not about it. */
  readonly other: {
    readonly video_id: VideoId;
    readonly video_revision: number;
    /** Of what the change did there, the part that can be put back. */
    readonly changes: VideoChanges;
    readonly run_id: RunId | null;
    readonly changed_since: ReadonlyArray<RecordFields>;
  } | null;
  readonly at: Timestamp;
}

/** What a committing name inference writes: the accepted names and roles of its results. */
export interface ApplyInference {
  readonly type: 'ApplyInference';
  readonly run_id: RunId;
  /** The key that asked. */
  readonly by: string;
  readonly target_speaker_ids: ReadonlyArray<SpeakerId>;
  readonly results: ReadonlyArray<ResultRow>;
  readonly at: Timestamp;
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
  /** Nothing that was changed then can be put back: it stands as before, or was changed since. */
  | { readonly _tag: 'NothingToRevert'; readonly changed_since: ReadonlyArray<RecordFields> }
  | { readonly _tag: 'AudioExists'; readonly audio_id: AudioId }
  | { readonly _tag: 'UnknownAudio' }
  | MediumErased
  | { readonly _tag: 'AudioHasParent'; readonly video_id: VideoId }
  | { readonly _tag: 'DuplicateSpeaker'; readonly speaker_id: SpeakerId }
  | { readonly _tag: 'InvalidSpeaker'; readonly speaker_id: SpeakerId }
  | { readonly _tag: 'UndeclaredSpeaker'; readonly speaker_id: SpeakerId }
  | { readonly _tag: 'MergeIntoItself'; readonly speaker_id: SpeakerId };
