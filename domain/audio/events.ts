import * as t from 'io-ts';
import { ResultRow } from '../grounding/result-row.js';
import { type EventOf, nullable } from '../kernel/event-codecs.js';
import { AccountId, AudioId, RunId, SpeakerId, VideoId } from '../kernel/ids.js';
import { MediaKind, ProcessingStatus, SpeakerRole } from '../kernel/media.js';
import { Timestamp } from '../kernel/timestamp.js';

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
  AudioAttached: t.type({ video_id: VideoId, owner_id: AccountId, title: nullable(t.string), kind: MediaKind }),
  AudioDetached: t.type({ video_id: VideoId }),
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
  TranscriptReplaced: t.type({ transcript_id: t.string, transcript: Chunks }),
  SpeakersRenamed: t.type({
    speakers: t.readonlyArray(t.type({ speaker_id: SpeakerId, name: t.string, previous_name: nullable(t.string) })),
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
        deal_person_id: nullable(t.string),
        previous_deal_person_id: nullable(t.string),
      }),
    ),
    roles: t.readonlyArray(t.type({ speaker_id: SpeakerId, role: SpeakerRole })),
  }),
  SpeakerRolesSet: t.type({
    speakers: t.readonlyArray(
      t.type({ speaker_id: SpeakerId, role: nullable(SpeakerRole), previous_role: nullable(SpeakerRole) }),
    ),
  }),
  /** The turns and words of `from` are `into`'s from now on. */
  SpeakersMerged: t.type({ from: SpeakerId, into: SpeakerId, removed: RecordedSpeaker, at: Timestamp }),
  SpeakerDeleted: t.type({ removed: RecordedSpeaker, at: Timestamp }),
} as const;

export type AudioEvent = EventOf<typeof audioEvents>;
