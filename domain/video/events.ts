import * as t from 'io-ts';
import { type DataIn, type EventOf, causeOf, nullable, JsonObject } from '../kernel/recorded-event.js';
import { RecordFields } from '../kernel/edit.js';
import { Erasure } from '../kernel/erased.js';
import { AudioId, FaceId, RunId, SpeakerId, VideoId } from '../kernel/ids.js';
import { Chunks, ProcessingStatus, registration } from '../kernel/media.js';
import { NamedBy, Renaming } from '../kernel/names.js';
import { renumberingOf } from '../kernel/renumbering.js';
import { Timestamp } from '../kernel/timestamp.js';
import { TagCategory, TagKey, TagSource, TagValue, StandingTag } from '../tag-registry/contract.js';
import { AudioChanges } from '../audio/changes.js';
import { DealPerson } from '../audio/events.js';
import { TextEdit, VideoEdits, Accuracy, FaceChange, RecordedFace, FaceAttributes, RuledOutEdit } from './changes.js';
import { SuggestionBlock, WriteBackOrigin } from './write-back.js';
import { Interval } from '../kernel/interval.js';

/** An active-speaker score in [0,1] for a time interval. */
export const TalkingScore = t.intersection([Interval, t.type({ score: Accuracy })], 'TalkingScore');
export type TalkingScore = t.TypeOf<typeof TalkingScore>;

/** Text shown on screen near the face. */
export const Caption = t.intersection([Interval, t.type({ text: t.string })], 'Caption');
export type Caption = t.TypeOf<typeof Caption>;

/** A time in seconds from the start of the medium. */
const MediaTime = t.refinement(t.number, (seconds) => Number.isFinite(seconds) && seconds >= 0, 'MediaTime');
const Share = t.refinement(t.number, (share) => share >= 0 && share <= 1, 'Share');

/** Where in the picture a face is at a time: its box, as shares of the picture's width and height. */
export const Box = t.type({ at: MediaTime, left: Share, top: Share, width: Share, height: Share }, 'Box');
export type Box = t.TypeOf<typeof Box>;

/** When a face is visible, its talking scores, captions near it, and where in the picture it is, if that was analysed. */
export const FaceTracks = t.intersection(
  [
    t.type({
      face_id: FaceId,
      tracks: t.readonlyArray(Interval),
      talking: t.readonlyArray(TalkingScore),
      captions: t.readonlyArray(Caption),
    }),
    t.partial({ boxes: t.readonlyArray(Box) }),
  ],
  'FaceTracks',
);
export type FaceTracks = t.TypeOf<typeof FaceTracks>;

/**
 * Events of the video's `faceTracks` stream: large evidence data, split into parts. A face may continue in the next
 * part.
 */
export const faceTracksEvents = {
  FaceTracksRecorded: t.type({
    video_id: VideoId,
    analysis_id: t.string,
    part: t.number,
    parts: t.number,
    faces: t.readonlyArray(FaceTracks),
  }),
} as const;

export const StandingFace = t.intersection([t.type({ face_id: FaceId, named_by: NamedBy }), FaceAttributes]);

/**
 * Sent when the video's audio was erased: the video's state without it, since earlier events can no longer be read. It
 * contains no names from speakers, matches, blocks, runs or decisions.
 */
export const AudioErasedData = t.intersection([
  t.type({
    audio_id: AudioId,
    status: ProcessingStatus,
    analysis_id: nullable(t.string),
    tracks: nullable(Chunks),
    faces: t.readonlyArray(StandingFace),
    at: Timestamp,
  }),
  /** The renumberings of the faces; absent if there are none. */
  t.partial({ renumberings: t.readonlyArray(t.type({ revision: t.number, ...renumberingOf(FaceId) })) }),
]);
export type AudioErasedData = t.TypeOf<typeof AudioErasedData>;

/**
 * A match of a write-back that was not applied, and why: a decision, or its face or speaker is not in a later analysis
 * any more. The ids are those that were sent.
 */
export const SkippedMatch = t.type(
  {
    face_id: FaceId,
    speaker_id: SpeakerId,
    reason: t.keyof({
      pair_rejected: null,
      speaker_not_seen: null,
      speaker_confirmed: null,
      face_confirmed: null,
      face_discontinued: null,
      speaker_discontinued: null,
    }),
  },
  'SkippedMatch',
);
export type SkippedMatch = t.TypeOf<typeof SkippedMatch>;

export const MatchMode = t.keyof({ suggest: null, commit: null }, 'MatchMode');
export type MatchMode = t.TypeOf<typeof MatchMode>;

const writeBackFacts = t.intersection([
  t.type({ run_id: RunId, audio_id: nullable(AudioId), at: Timestamp }),
  WriteBackOrigin,
]);
/** The data common to all write-back events. */
export type WriteBackFacts = t.TypeOf<typeof writeBackFacts>;

/** `skipped`: matches that were not applied because of people's decisions; absent if there are none. */
const writeBack = t.intersection([writeBackFacts, t.partial({ skipped: t.readonlyArray(SkippedMatch) })]);

export const RecordedMatch = t.type({ face_id: FaceId, speaker_id: SpeakerId, accuracy: Accuracy }, 'RecordedMatch');
export type RecordedMatch = t.TypeOf<typeof RecordedMatch>;

export const NamedSpeaker = t.type({
  speaker_id: SpeakerId,
  name: t.string,
  previous_name: nullable(t.string),
  previous_named_by: NamedBy,
});

export type NamedSpeaker = t.TypeOf<typeof NamedSpeaker>;

const ofAudio = { audio_id: AudioId, audio_revision: t.number };

const WrittenTag = t.type({
  key: TagKey,
  category: TagCategory,
  value: TagValue,
  /** Null: the tag is new. */
  previous: nullable(StandingTag),
});

export const videoEvents = {
  VideoRegistered: t.type({
    video_id: VideoId,
    ...registration,
    media_url: nullable(t.string),
    audio_id: nullable(AudioId),
  }),
  /** Title, media_url or both; null if unchanged. */
  VideoDetailsChanged: t.type({ title: TextEdit, media_url: TextEdit, at: Timestamp }),
  /** Contains the audio's registration data, so that it can be completed after a crash. */
  AudioAssociated: t.type({
    audio_id: AudioId,
    ...registration,
    deal_persons: t.readonlyArray(DealPerson),
  }),
  AudioDissociated: t.type({ audio_id: AudioId }),
  /** `faces` is the complete new list. */
  VideoAnalysisRecorded: t.type({
    status: ProcessingStatus,
    analysis_id: t.string,
    faces: t.readonlyArray(RecordedFace),
    /** Position of the face tracks in the video's `faceTracks` stream; null if this analysis has none. */
    tracks: nullable(Chunks),
    at: Timestamp,
    /** How the faces continue those of before: a name follows the face, not the number. */
    ...renumberingOf(FaceId),
  }),
  /** An analysis of the audio numbers the speakers differently: matches and decisions follow the voices. */
  SpeakersRenumbered: t.type({ ...ofAudio, ...renumberingOf(SpeakerId), at: Timestamp }),
  PersonalityTraitsRecorded: t.type({ face_id: FaceId, personality_traits: JsonObject }),
  FacesRenamed: t.type({
    faces: t.readonlyArray(t.type({ face_id: FaceId, ...Renaming })),
    cause: causeOf('speaker_renamed', ofAudio),
    at: Timestamp,
  }),
  /**
   * A person matched faces. `speakers` are those that the person named; a speaker takes the name if it is new to it.
   */
  FacesMatched: t.type({
    audio_id: AudioId,
    changes: t.readonlyArray(FaceChange),
    speakers: t.readonlyArray(NamedSpeaker),
    at: Timestamp,
  }),
  /** A person decided which face is or is not a speaker's, or that a speaker is not visible. */
  LinksDecided: t.type({
    audio_id: AudioId,
    changes: t.readonlyArray(FaceChange),
    ruled_out: t.readonlyArray(RuledOutEdit),
    at: Timestamp,
  }),
  /** A person removed a face's match. */
  FaceUnmatched: t.type({ changes: t.readonlyArray(FaceChange), at: Timestamp }),
  /** A speaker was merged, deleted, or not found by a later analysis. */
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
    /** Null: all speakers. */
    target_speaker_ids: nullable(t.readonlyArray(SpeakerId)),
    at: Timestamp,
    supersedes: t.readonlyArray(RunId),
  }),
  SuggestionsStored: t.intersection([writeBack, t.type({ block: SuggestionBlock })]),
  MatchesCommitted: t.intersection([
    writeBack,
    t.type({
      matches: t.readonlyArray(RecordedMatch),
      /** Changes of an earlier, assumed answer that this answer takes back first. */
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
      /** A suggestion block stored by an earlier, assumed answer is removed, because the run reported its failure. */
      withdraws_block: t.boolean,
    }),
  ]),
  MatchRunReverted: t.type({
    run_id: RunId,
    changes: t.readonlyArray(FaceChange),
    changed_since: t.readonlyArray(FaceId),
    at: Timestamp,
  }),
  /** The tags that a request created or changed. */
  TagsWritten: t.type({ source: TagSource, tags: t.readonlyArray(WrittenTag), at: Timestamp }),
  TagRemoved: t.type({ key: TagKey, previous: StandingTag, at: Timestamp }),
  AudioErased: AudioErasedData,
  /** The last event of the stream. */
  MediumErased: Erasure,
  /** A change of the video, or of the video and its audio, was undone. Contains what was restored on the video. */
  VideoChangeReverted: t.intersection([
    VideoEdits,
    t.type({
      /** The requested position, and the id of the first event of that change. */
      position: t.string,
      change_id: t.string,
      /** The run whose write-back was undone, if any. */
      run_id: nullable(RunId),
      /** Caused by a request for the video, or by a revert of the audio. */
      cause: causeOf('audio', ofAudio),
      /** The changes to undo on the audio; null if none. */
      audio: nullable(t.type({ ...ofAudio, changes: AudioChanges })),
      /** Fields of both records that were not restored because they were changed since. */
      changed_since: t.readonlyArray(RecordFields),
      at: Timestamp,
    }),
  ]),
} as const;

export type VideoEvent = EventOf<typeof videoEvents>;

/** The data of one type of these events. */
export type VideoData<Type extends VideoEvent['type']> = DataIn<VideoEvent, Type>;
