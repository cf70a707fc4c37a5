import * as t from 'io-ts';
import { type EventOf, nullable } from '../kernel/event-codecs.js';
import { editOf } from '../kernel/edit.js';
import { Erasure } from '../kernel/erased.js';
import { AccountId, AudioId, FaceId, RunId, SpeakerId, VideoId } from '../kernel/ids.js';
import { JsonObject } from '../kernel/json.js';
import { MediaKind, ProcessingStatus } from '../kernel/media.js';
import { NamedBy, WhoseName } from '../kernel/names.js';
import { RecordFields } from '../kernel/record-fields.js';
import { Timestamp } from '../kernel/timestamp.js';
import { TagCategory, TagKey, TagSource, TagValue } from '../tag-registry/tag.js';
import { AudioChanges } from '../audio/changes.js';
import { VideoChanges } from './changes.js';
import { Accuracy, FaceChange, RecordedFace } from './face.js';
import { AudioErasedData } from './erased-audio.js';
import { RuledOutEdit } from './ruled-out.js';
import { SkippedMatch } from './skipped-match.js';
import { StandingTag } from './standing-tag.js';
import { SuggestionBlock } from './suggestion-block.js';
import { WriteBackOrigin } from '../kernel/write-back-origin.js';

export const MatchMode = t.keyof({ suggest: null, commit: null }, 'MatchMode');
export type MatchMode = t.TypeOf<typeof MatchMode>;

const writeBackFacts = t.intersection([
  t.type({ run_id: RunId, audio_id: nullable(AudioId), at: Timestamp }),
  WriteBackOrigin,
]);
/** What every event of a write-back holds. */
export type WriteBackFacts = t.TypeOf<typeof writeBackFacts>;

/** `skipped`: what was left out of the answer because people decided otherwise; absent where nothing was. */
const writeBack = t.intersection([writeBackFacts, t.partial({ skipped: t.readonlyArray(SkippedMatch) })]);

export const RecordedMatch = t.type({ face_id: FaceId, speaker_id: SpeakerId, accuracy: Accuracy }, 'RecordedMatch');
export type RecordedMatch = t.TypeOf<typeof RecordedMatch>;

export const NamedSpeaker = t.type({
  speaker_id: SpeakerId,
  name: t.string,
  previous_name: nullable(t.string),
  previous_named_by: NamedBy,
});

const RenameCause = t.union([
  t.type({ kind: t.literal('request') }),
  t.type({ kind: t.literal('speaker_renamed'), audio_id: AudioId, audio_revision: t.number }),
]);

export type NamedSpeaker = t.TypeOf<typeof NamedSpeaker>;

const RevertCause = t.union([
  t.type({ kind: t.literal('request') }),
  t.type({ kind: t.literal('audio'), audio_id: AudioId, audio_revision: t.number }),
]);

const TextEdit = nullable(editOf(nullable(t.string)));

const WrittenTag = t.type({
  key: TagKey,
  category: TagCategory,
  value: TagValue,
  /** Null: the video had no such tag. */
  previous: nullable(StandingTag),
});

export const videoEvents = {
  VideoRegistered: t.type({
    video_id: VideoId,
    owner_id: AccountId,
    title: nullable(t.string),
    kind: MediaKind,
    media_url: nullable(t.string),
    audio_id: nullable(AudioId),
  }),
  /** Title or media_url, or both; null for what stays as it is. */
  VideoDetailsChanged: t.type({ title: TextEdit, media_url: TextEdit, at: Timestamp }),
  /** The facts of the audio's registration come along, so that it can be finished after a crash. */
  AudioAssociated: t.type({
    audio_id: AudioId,
    owner_id: AccountId,
    title: nullable(t.string),
    kind: MediaKind,
    deal_persons: t.readonlyArray(t.type({ person_id: t.string, name: t.string })),
  }),
  AudioDissociated: t.type({ audio_id: AudioId }),
  /** `faces` is the whole list as it stands from now on. */
  VideoAnalysisRecorded: t.type({
    status: ProcessingStatus,
    analysis_id: t.string,
    faces: t.readonlyArray(RecordedFace),
    /** Where the face tracks lie in the video's `faceTracks` stream; null when this analysis brought none. */
    tracks: nullable(t.type({ first_revision: t.number, parts: t.number })),
    at: Timestamp,
  }),
  PersonalityTraitsRecorded: t.type({ face_id: FaceId, personality_traits: JsonObject }),
  FacesRenamed: t.type({
    faces: t.readonlyArray(
      t.type({ face_id: FaceId, name: t.string, previous_name: nullable(t.string), named_by: WhoseName }),
    ),
    cause: RenameCause,
    at: Timestamp,
  }),
  /** A person matched faces by hand. `speakers` are those whom the person named; where that is news to them, they follow. */
  FacesMatched: t.type({
    audio_id: AudioId,
    changes: t.readonlyArray(FaceChange),
    speakers: t.readonlyArray(NamedSpeaker),
    at: Timestamp,
  }),
  /** A person decided whose face is a speaker's, whose is not, or that a speaker is not to be seen. */
  LinksDecided: t.type({
    audio_id: AudioId,
    changes: t.readonlyArray(FaceChange),
    ruled_out: t.readonlyArray(RuledOutEdit),
    at: Timestamp,
  }),
  /** A person took a face's match away. */
  FaceUnmatched: t.type({ changes: t.readonlyArray(FaceChange), at: Timestamp }),
  /** A speaker was merged into another, deleted, or is none of those that a later analysis found. */
  SpeakerWithdrawn: t.type({
    speaker_id: SpeakerId,
    merged_into: nullable(SpeakerId),
    changes: t.readonlyArray(FaceChange),
    at: Timestamp,
  }),
  MatchRunQueued: t.type({
    run_id: RunId,
    audio_id: AudioId,
    mode: MatchMode,
    target_speaker_ids: nullable(t.readonlyArray(SpeakerId)),
    at: Timestamp,
    supersedes: t.readonlyArray(RunId),
  }),
  SuggestionsStored: t.intersection([writeBack, t.type({ block: SuggestionBlock })]),
  MatchesCommitted: t.intersection([
    writeBack,
    t.type({
      matches: t.readonlyArray(RecordedMatch),
      /** What an assumed answer had changed and this one takes back first. */
      replaced: t.readonlyArray(FaceChange),
      changes: t.readonlyArray(FaceChange),
    }),
  ]),
  MatchRunFailed: t.intersection([
    writeBack,
    t.type({
      mode: MatchMode,
      error: t.string,
      replaced: t.readonlyArray(FaceChange),
      /** The block stored on an assumption is taken back, for the run itself says that it failed. */
      withdraws_block: t.boolean,
    }),
  ]),
  MatchRunReverted: t.type({
    run_id: RunId,
    changes: t.readonlyArray(FaceChange),
    changed_since: t.readonlyArray(FaceId),
    at: Timestamp,
  }),
  /** Those tags of one request that were created or changed. */
  TagsWritten: t.type({ source: TagSource, tags: t.readonlyArray(WrittenTag), at: Timestamp }),
  TagRemoved: t.type({ key: TagKey, previous: StandingTag, at: Timestamp }),
  AudioErased: AudioErasedData,
  /** The last event of the stream. */
  MediumErased: Erasure,
  /** A change of this record, or of this record and its audio, was undone: what was put back here. */
  VideoChangeReverted: t.intersection([
    VideoChanges,
    t.type({
      /** The position that was asked for, and the first event of the change that it names. */
      position: t.string,
      change_id: t.string,
      /** The run whose write-back was undone, if it was one. */
      run_id: nullable(RunId),
      /** By a request for this record, or with what a request undid on the audio. */
      cause: RevertCause,
      /** What the audio is to put back with it, as the change that it made there; null: nothing. */
      audio: nullable(t.type({ audio_id: AudioId, audio_revision: t.number, changes: AudioChanges })),
      /** What was left alone because it was changed since, on both records. */
      changed_since: t.readonlyArray(RecordFields),
      at: Timestamp,
    }),
  ]),
} as const;

export type VideoEvent = EventOf<typeof videoEvents>;
