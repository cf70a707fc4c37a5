import * as t from 'io-ts';
import { accessEvents } from '../domain/access/contract.js';
import { RecordedSpeaker } from '../domain/audio/events.js';
import { nullable } from '../domain/kernel/recorded-event.js';
import { renumberingOf } from '../domain/kernel/renumbering.js';
import { AccountId, AudioId, FaceId, RunId, SpeakerId, VideoId } from '../domain/kernel/ids.js';
import { ProcessingStatus, registration } from '../domain/kernel/media.js';
import { Timestamp } from '../domain/kernel/timestamp.js';
import { IneligibleReason } from '../domain/name-inference/eligibility.js';
import { IgnoredReason } from '../domain/match-run/contract.js';
import { MatchMode, RecordedMatch } from '../domain/video/events.js';
import { Attribution, SuggestionBlock, WriteBackOrigin } from '../domain/video/write-back.js';
import { Accuracy, FaceAttributes, FaceChange } from '../domain/video/changes.js';
import { LinkDecision } from './link-decisions.js';
import { TagView } from './tag-views.js';

const StoredMatchStatus = t.keyof({ queue: null, completed: null, failed: null });

/** A video record without tags, which are stored separately. */
const UntaggedRecord = t.type(
  {
    video_id: VideoId,
    ...registration,
    media_url: nullable(t.string),
    status: ProcessingStatus,
    audio_id: nullable(AudioId),
    faces: t.readonlyArray(t.intersection([t.type({ id: FaceId }), FaceAttributes])),
    speaker_face_match: t.type({
      status: nullable(StoredMatchStatus),
      queued_at: nullable(Timestamp),
      mode: nullable(MatchMode),
      suggestions: nullable(SuggestionBlock),
    }),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  'UntaggedRecord',
);
export type UntaggedRecord = t.TypeOf<typeof UntaggedRecord>;

/** A video as GET shows it (specification, section 2.1; contract, Media). */
export const VideoRecord = t.intersection([UntaggedRecord, t.type({ tags: t.readonlyArray(TagView) })], 'VideoRecord');
export type VideoRecord = t.TypeOf<typeof VideoRecord>;

/** The part of an audio record that derives from its own events. */
const OwnAudioRecord = t.type(
  {
    audio_id: AudioId,
    ...registration,
    status: ProcessingStatus,
    video_id: nullable(VideoId),
    speakers: t.readonlyArray(RecordedSpeaker),
    transcript_available: t.boolean,
    provider_supplied: t.boolean,
    transcript_replaced: t.boolean,
    speech_segments: nullable(t.string),
    manual_name_inference_runs: t.readonlyArray(t.unknown),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  'OwnAudioRecord',
);
export type OwnAudioRecord = t.TypeOf<typeof OwnAudioRecord>;

/** Whether names can be inferred for an audio, and the reasons if not. */
const NameInference = t.type({ eligible: t.boolean, reasons: t.readonlyArray(IneligibleReason) }, 'NameInference');

/** An audio as GET shows it (specification, section 2.2; contract, Media). */
export const AudioRecord = t.intersection([OwnAudioRecord, t.type({ name_inference: NameInference })], 'AudioRecord');
export type AudioRecord = t.TypeOf<typeof AudioRecord>;

/** A stored video row. */
export const VideoRow = t.type(
  {
    record: UntaggedRecord,
    revision: t.number,
    run_id: nullable(RunId),
    decisions: t.readonlyArray(LinkDecision),
    /** Whether the last suggest run completed. */
    suggested: t.boolean,
  },
  'VideoRow',
);
export type VideoRow = t.TypeOf<typeof VideoRow>;

/** A video record at a revision of its stream. `run_id`: the newest match run. */
export interface VideoView extends Pick<VideoRow, 'revision' | 'run_id' | 'decisions'> {
  readonly record: VideoRecord;
}

/** A stored audio row. */
export const AudioRow = t.type(
  {
    record: OwnAudioRecord,
    revision: t.number,
    /** When names were last inferred for it; null if never. */
    inferred_at: nullable(Timestamp),
    /** The renumberings of the speakers, oldest first: answers about earlier ids follow them. */
    renumberings: t.readonlyArray(t.type({ revision: t.number, ...renumberingOf(SpeakerId) })),
  },
  'AudioRow',
);
export type AudioRow = t.TypeOf<typeof AudioRow>;

/** An audio record at a revision of its stream. */
export interface AudioView extends Pick<AudioRow, 'revision' | 'inferred_at'> {
  readonly record: AudioRecord;
}

/** A write-back that changed nothing. */
export const LateArrival = t.type(
  {
    at: Timestamp,
    reason: IgnoredReason,
    status: t.keyof({ completed: null, failed: null }),
    matches: t.readonlyArray(RecordedMatch),
    error: nullable(t.string),
  },
  'LateArrival',
);

/** The origin of a write-back, if one has come. */
const origin = { ...WriteBackOrigin.props, attribution: nullable(Attribution) };

/** A match run. Whether it is in flight or stale depends on the time of the query. */
export const MatchRunView = t.type(
  {
    run_id: RunId,
    video_id: nullable(VideoId),
    audio_id: nullable(AudioId),
    mode: nullable(MatchMode),
    target_speaker_ids: nullable(t.readonlyArray(SpeakerId)),
    /** The revision of the video whose ids the run and its answer use. */
    video_revision: nullable(t.number),
    queued_at: nullable(Timestamp),
    outcome: nullable(t.keyof({ completed: null, failed: null, erased: null })),
    ended_at: nullable(Timestamp),
    ...origin,
    error: nullable(t.string),
    superseded_by: nullable(RunId),
    superseded_at: nullable(Timestamp),
    changed_faces: t.readonlyArray(FaceId),
    reverted_at: nullable(Timestamp),
    late_arrivals: t.readonlyArray(LateArrival),
  },
  'MatchRunView',
);
export type MatchRunView = t.TypeOf<typeof MatchRunView>;

/** A late or ambiguous write-back, for the audit. */
export const LateWriteView = t.type(
  {
    /** Position of the event. */
    position: t.string,
    at: Timestamp,
    video_id: nullable(VideoId),
    run_id: RunId,
    status: t.keyof({ stored: null, committed: null, failed: null, ignored: null }),
    reason: nullable(IgnoredReason),
    ...origin,
    matches: t.readonlyArray(t.type({ face_id: FaceId, speaker_id: SpeakerId, accuracy: nullable(Accuracy) })),
    changes: t.readonlyArray(FaceChange),
    reverted_at: nullable(Timestamp),
    /** Who sent it. */
    actor: t.type({ key_id: t.string, account_id: t.string }),
    request_id: t.string,
  },
  'LateWriteView',
);
export type LateWriteView = t.TypeOf<typeof LateWriteView>;

export const AccountView = t.type(
  { account_id: AccountId, name: nullable(t.string), created_at: Timestamp },
  'AccountView',
);
export type AccountView = t.TypeOf<typeof AccountView>;

const { at: _issued_at, ...issued } = accessEvents.ApiKeyIssued.props;

/** An API key without its secret; requests are authenticated by the hash. */
export const ApiKeyView = t.type({ ...issued, created_at: Timestamp, revoked_at: nullable(Timestamp) }, 'ApiKeyView');
export type ApiKeyView = t.TypeOf<typeof ApiKeyView>;
