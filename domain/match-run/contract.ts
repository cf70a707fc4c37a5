import * as t from 'io-ts';
import { type EventOf, nullable } from '../kernel/event-codecs.js';
import { AudioId, RunId, SpeakerId, VideoId } from '../kernel/ids.js';
import { Timestamp } from '../kernel/timestamp.js';
import { Attribution, MatchMode, RecordedMatch } from '../video/events.js';
import { FaceChange } from '../video/face.js';

/** Why a write-back changed nothing. */
export const IgnoredReason = t.keyof({ run_superseded: null, run_ended: null, nothing_to_fail: null }, 'IgnoredReason');
export type IgnoredReason = t.TypeOf<typeof IgnoredReason>;

/** `video_revision` is the event of the video's stream that this one follows from. */
const follows = { video_revision: t.number, at: Timestamp };

const booked = {
  ...follows,
  attribution: Attribution,
  candidate_run_ids: t.readonlyArray(RunId),
  late_write_suspected: t.boolean,
  late: t.boolean,
};

export const matchRunEvents = {
  MatchRunStarted: t.type({
    ...follows,
    run_id: RunId,
    video_id: VideoId,
    audio_id: nullable(AudioId),
    mode: MatchMode,
    target_speaker_ids: nullable(t.readonlyArray(SpeakerId)),
  }),
  MatchRunSuggested: t.type({ ...booked, suggested: t.number }),
  MatchRunCommitted: t.type({
    ...booked,
    replaced: t.readonlyArray(FaceChange),
    changes: t.readonlyArray(FaceChange),
  }),
  MatchRunFailureNoted: t.type({ ...booked, error: t.string, replaced: t.readonlyArray(FaceChange) }),
  MatchRunSuperseded: t.type({ ...follows, by: RunId }),
  MatchRunUndone: t.type({ ...follows, changes: t.readonlyArray(FaceChange) }),
  /** A write-back that changed nothing. */
  LateWriteBackArrived: t.type({
    reason: IgnoredReason,
    status: t.keyof({ completed: null, failed: null }),
    matches: t.readonlyArray(RecordedMatch),
    error: nullable(t.string),
    at: Timestamp,
  }),
} as const;

export type MatchRunEvent = EventOf<typeof matchRunEvents>;

/** An event of the video's stream, told to the run that it is about. */
export interface FollowVideo {
  readonly type: 'FollowVideo';
  readonly event: Exclude<MatchRunEvent, { type: 'LateWriteBackArrived' }>;
}

export interface NoteLateWriteBack {
  readonly type: 'NoteLateWriteBack';
  readonly video_id: VideoId;
  /** Null: the run's own state tells it. */
  readonly reason: IgnoredReason | null;
  readonly status: 'completed' | 'failed';
  readonly matches: ReadonlyArray<RecordedMatch>;
  readonly error: string | null;
  readonly at: Timestamp;
}

export type MatchRunCommand = FollowVideo | NoteLateWriteBack;

export interface UnknownRun {
  readonly _tag: 'UnknownRun';
}
export type MatchRunRefusal = UnknownRun;
