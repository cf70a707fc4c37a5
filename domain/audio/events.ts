import * as t from 'io-ts';
import { ResultRow } from '../grounding/result-row.js';
import { editOf, RecordFields } from '../kernel/edit.js';
import { Erasure } from '../kernel/erased.js';
import { type DataIn, type EventOf, causeOf, nullable } from '../kernel/recorded-event.js';
import { AudioId, RunId, SpeakerId, VideoId } from '../kernel/ids.js';
import { Chunks, ProcessingStatus, SpeakerRole, registration } from '../kernel/media.js';
import { NamedBy, Renaming } from '../kernel/names.js';
import { renumberingOf } from '../kernel/renumbering.js';
import { Timestamp } from '../kernel/timestamp.js';
import { VideoChanges } from '../video/changes.js';
import { AudioChanges, RoleBy } from './changes.js';
import { Interval } from '../kernel/interval.js';

/** A time interval in which a speaker talks. */
export const SpeakerTurn = t.intersection([t.type({ speaker_id: SpeakerId }), Interval], 'SpeakerTurn');
export type SpeakerTurn = t.TypeOf<typeof SpeakerTurn>;

/** What a speaker says in a time interval. */
export const Utterance = t.intersection([t.type({ speaker_id: SpeakerId, text: t.string }), Interval], 'Utterance');
export type Utterance = t.TypeOf<typeof Utterance>;

const part = { audio_id: AudioId, part: t.number, parts: t.number };

/** Events of the audio's `speakerTurns` and `transcript` streams: large evidence data, split into parts. */
export const speechEvents = {
  SpeakerTurnsRecorded: t.type({ ...part, analysis_id: t.string, turns: t.readonlyArray(SpeakerTurn) }),
  TranscriptRecorded: t.type({ ...part, transcript_id: t.string, utterances: t.readonlyArray(Utterance) }),
} as const;

export const DealPerson = t.type({ person_id: t.string, name: t.string }, 'DealPerson');
export type DealPerson = t.TypeOf<typeof DealPerson>;

export const RecordedSpeaker = t.type(
  {
    speaker_id: SpeakerId,
    name: nullable(t.string),
    role: nullable(SpeakerRole),
    synthetic: t.boolean,
    deal_person_id: nullable(t.string),
  },
  'RecordedSpeaker',
);
export type RecordedSpeaker = t.TypeOf<typeof RecordedSpeaker>;

/** The attributes of a speaker that the record shows. */
export const recordedSpeaker = ({
  speaker_id,
  name,
  role,
  synthetic,
  deal_person_id,
}: RecordedSpeaker): RecordedSpeaker => ({
  speaker_id,
  name,
  role,
  synthetic,
  deal_person_id,
});

const StandingSpeaker = t.intersection([RecordedSpeaker, t.type({ named_by: NamedBy, role_by: RoleBy })]);

const ofVideo = { video_id: VideoId, video_revision: t.number };

const WhoseRole = t.type({ before: RoleBy, after: RoleBy });

const RenamedSpeaker = t.type({ speaker_id: SpeakerId, ...Renaming });

export const audioEvents = {
  AudioRegistered: t.type({
    audio_id: AudioId,
    ...registration,
    video_id: nullable(VideoId),
    deal_persons: t.readonlyArray(DealPerson),
  }),
  /** Contains the video's registration data, so that it can be completed after a crash. */
  AudioAttached: t.type({ video_id: VideoId, ...registration, media_url: nullable(t.string) }),
  /**
   * Also contains the audio as it is, because reverts that concerned an erased video too can no longer be read. Events of
   * before have no such data.
   */
  AudioDetached: t.intersection([
    t.type({ video_id: VideoId }),
    t.partial({ title: nullable(t.string), speakers: t.readonlyArray(StandingSpeaker) }),
  ]),
  AudioDetailsChanged: t.type({ title: editOf(nullable(t.string)), at: Timestamp }),
  /** `speakers` is the complete new list. */
  AudioAnalysisRecorded: t.type({
    status: ProcessingStatus,
    analysis_id: t.string,
    speakers: t.readonlyArray(RecordedSpeaker),
    /** Speaker turns in the audio's `speakerTurns` stream; null if this analysis has none. */
    turns: nullable(Chunks),
    /** Utterances in the audio's `transcript` stream; null if this analysis has none. */
    transcript: nullable(Chunks),
    /** What stays of before, because this analysis does not bring it: the turns only in version 1. */
    keeps: t.type({ turns: t.boolean, transcript: t.boolean }),
    provider_supplied: t.boolean,
    speech_segments: nullable(t.string),
    /** How the speakers continue those of before: a name follows the voice, not the number. */
    ...renumberingOf(SpeakerId),
  }),
  /** A null transcript is empty. */
  TranscriptReplaced: t.type({ transcript_id: t.string, transcript: nullable(Chunks) }),
  SpeakersRenamed: t.type({
    speakers: t.readonlyArray(RenamedSpeaker),
    cause: causeOf('face_match', ofVideo),
    at: Timestamp,
  }),
  /** A name inference in commit mode: its results, and the names and roles that were written. */
  NamesInferred: t.type({
    run_id: RunId,
    /** The key that sent the request. */
    by: t.string,
    at: Timestamp,
    target_speaker_ids: t.readonlyArray(SpeakerId),
    results: t.readonlyArray(ResultRow),
    renamed: t.readonlyArray(
      t.type({
        ...RenamedSpeaker.props,
        deal_person_id: nullable(t.string),
        previous_deal_person_id: nullable(t.string),
      }),
    ),
    /** Only speakers without a role get one. */
    roles: t.readonlyArray(t.type({ speaker_id: SpeakerId, role: SpeakerRole, role_by: WhoseRole })),
  }),
  SpeakerRolesSet: t.type({
    speakers: t.readonlyArray(
      t.type({
        speaker_id: SpeakerId,
        role: nullable(SpeakerRole),
        previous_role: nullable(SpeakerRole),
        role_by: WhoseRole,
      }),
    ),
  }),
  /** From now on the turns and utterances of `from` belong to `into`. */
  SpeakersMerged: t.type({
    from: SpeakerId,
    into: SpeakerId,
    removed: RecordedSpeaker,
    /** `into` takes the name of `from` if only `from` had a real name; null if it keeps its own. */
    renamed: nullable(RenamedSpeaker),
    /** The resulting name of `into`; null if it has none, and in version 1, which did not record it. */
    called: nullable(t.type({ name: t.string, named_by: NamedBy })),
    at: Timestamp,
  }),
  /** The last event of the stream. */
  MediumErased: Erasure,
  SpeakerDeleted: t.type({ removed: RecordedSpeaker, at: Timestamp }),
  /** A change of the audio, or of the audio and its video, was undone. Contains what was restored on the audio. */
  AudioChangeReverted: t.intersection([
    AudioChanges,
    t.type({
      /** The requested position, and the id of the first event of that change. */
      position: t.string,
      change_id: t.string,
      /** Caused by a request for the audio, or by a revert of the video. */
      cause: causeOf('video', ofVideo),
      /** The changes to undo on the video; null if none. */
      video: nullable(t.type({ ...ofVideo, changes: VideoChanges, run_id: nullable(RunId) })),
      /** Fields of both records that were not restored because they were changed since. */
      changed_since: t.readonlyArray(RecordFields),
      at: Timestamp,
    }),
  ]),
} as const;

export type AudioEvent = EventOf<typeof audioEvents>;

/** The data of one type of these events. */
export type AudioData<Type extends AudioEvent['type']> = DataIn<AudioEvent, Type>;
