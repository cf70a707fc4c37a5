import * as t from 'io-ts';
import { ResultRow } from '../grounding/result-row.js';
import { editOf } from '../kernel/edit.js';
import { Erasure } from '../kernel/erased.js';
import { type EventOf, nullable } from '../kernel/event-codecs.js';
import { AccountId, AudioId, RunId, SpeakerId, VideoId } from '../kernel/ids.js';
import { MediaKind, ProcessingStatus, SpeakerRole } from '../kernel/media.js';
import { NamedBy, WhoseName } from '../kernel/names.js';
import { RecordFields } from '../kernel/record-fields.js';
import { Timestamp } from '../kernel/timestamp.js';
import { VideoChanges } from '../video/changes.js';
import { AudioChanges, RoleBy } from './changes.js';

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

/** Where bulky parts lie in a stream of their own. */
export const Chunks = t.type({ first_revision: t.number, parts: t.number }, 'Chunks');
export type Chunks = t.TypeOf<typeof Chunks>;

const RenameCause = t.union([
  t.type({ kind: t.literal('request') }),
  t.type({ kind: t.literal('face_match'), video_id: VideoId, video_revision: t.number }),
]);

const RevertCause = t.union([
  t.type({ kind: t.literal('request') }),
  t.type({ kind: t.literal('video'), video_id: VideoId, video_revision: t.number }),
]);

const WhoseRole = t.type({ before: RoleBy, after: RoleBy });

const RenamedSpeaker = t.type({
  speaker_id: SpeakerId,
  name: t.string,
  previous_name: nullable(t.string),
  named_by: WhoseName,
});

export const audioEvents = {
  AudioRegistered: t.type({
    audio_id: AudioId,
    owner_id: AccountId,
    title: nullable(t.string),
    kind: MediaKind,
    video_id: nullable(VideoId),
    deal_persons: t.readonlyArray(DealPerson),
  }),
  /** The facts of the video's registration come along, so that it can be finished after a crash. */
  AudioAttached: t.type({
    video_id: VideoId,
    owner_id: AccountId,
    title: nullable(t.string),
    kind: MediaKind,
    media_url: nullable(t.string),
  }),
  AudioDetached: t.type({ video_id: VideoId }),
  AudioDetailsChanged: t.type({ title: editOf(nullable(t.string)), at: Timestamp }),
  /** `speakers` is the whole list as it stands from now on. */
  AudioAnalysisRecorded: t.type({
    status: ProcessingStatus,
    analysis_id: t.string,
    speakers: t.readonlyArray(RecordedSpeaker),
    /** Speaker turns in the audio's `speakerTurns` stream; null when this analysis brought none. */
    turns: nullable(Chunks),
    /** Utterances in the audio's `transcript` stream; null when this analysis brought none. */
    transcript: nullable(Chunks),
    provider_supplied: t.boolean,
    speech_segments: nullable(t.string),
  }),
  /** A transcript of null is an empty one. */
  TranscriptReplaced: t.type({ transcript_id: t.string, transcript: nullable(Chunks) }),
  SpeakersRenamed: t.type({
    speakers: t.readonlyArray(RenamedSpeaker),
    cause: RenameCause,
    at: Timestamp,
  }),
  /** A committing name inference: what it proposed, and what of it was written. */
  NamesInferred: t.type({
    run_id: RunId,
    by: t.string,
    at: Timestamp,
    target_speaker_ids: t.readonlyArray(SpeakerId),
    results: t.readonlyArray(ResultRow),
    renamed: t.readonlyArray(
      t.type({
        speaker_id: SpeakerId,
        name: t.string,
        previous_name: nullable(t.string),
        named_by: WhoseName,
        deal_person_id: nullable(t.string),
        previous_deal_person_id: nullable(t.string),
      }),
    ),
    /** Only speakers without a role are given one. */
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
  /** The turns and words of `from` are `into`'s from now on. */
  SpeakersMerged: t.type({
    from: SpeakerId,
    into: SpeakerId,
    removed: RecordedSpeaker,
    /** `into` takes the name of `from`, which alone had a real one; null: it keeps its own. */
    renamed: nullable(RenamedSpeaker),
    /** What `into` is called from now on; null for one that has no name, and where it was not recorded. */
    called: nullable(t.type({ name: t.string, named_by: NamedBy })),
    at: Timestamp,
  }),
  /** The last event of the stream. */
  MediumErased: Erasure,
  SpeakerDeleted: t.type({ removed: RecordedSpeaker, at: Timestamp }),
  /** A change of this record, or of this record and its video, was undone: what was put back here. */
  AudioChangeReverted: t.intersection([
    AudioChanges,
    t.type({
      /** The position that was asked for, and the first event of the change that it names. */
      position: t.string,
      change_id: t.string,
      /** By a request for this record, or with what a request undid on the video. */
      cause: RevertCause,
      /** What the video is to put back with it, as the change that it made there; null: nothing. */
      video: nullable(
        t.type({ video_id: VideoId, video_revision: t.number, changes: VideoChanges, run_id: nullable(RunId) }),
      ),
      /** What was left alone because it was changed since, on both records. */
      changed_since: t.readonlyArray(RecordFields),
      at: Timestamp,
    }),
  ]),
} as const;

export type AudioEvent = EventOf<typeof audioEvents>;
