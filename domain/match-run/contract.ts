import type { CommandOf, Tagged } from '../kernel/decider.js';
import * as t from 'io-ts';
import { type DataIn, type EventOf, nullable } from '../kernel/recorded-event.js';
import { AudioId, RunId, SpeakerId, VideoId } from '../kernel/ids.js';
import { Timestamp } from '../kernel/timestamp.js';
import { MatchMode, RecordedMatch } from '../video/events.js';
import { FaceChange, FaceEdit } from '../video/changes.js';
import { WriteBackOrigin } from '../video/write-back.js';

/** Why a write-back changed nothing. */
export const IgnoredReason = t.keyof({ run_superseded: null, run_ended: null, nothing_to_fail: null }, 'IgnoredReason');
export type IgnoredReason = t.TypeOf<typeof IgnoredReason>;

/** `video_revision` identifies the event of the video's stream that caused this one. */
const follows = { video_revision: t.number, at: Timestamp };

const booked = { ...follows, ...WriteBackOrigin.props };

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
  MatchRunUndone: t.type({ ...follows, changes: t.readonlyArray(FaceEdit) }),
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

type Recorded<Type extends MatchRunEvent['type']> = DataIn<MatchRunEvent, Type>;

export type StartRun = CommandOf<'StartRun', Recorded<'MatchRunStarted'>>;

/** A write-back that changed the video. If it belongs to no run, it starts one, so that it can be listed and undone. */
export interface RecordAnswer {
  readonly type: 'RecordAnswer';
  readonly video_id: VideoId;
  readonly run_id: RunId;
  readonly audio_id: AudioId | null;
  readonly answer: Extract<
    MatchRunEvent,
    { readonly type: 'MatchRunSuggested' | 'MatchRunCommitted' | 'MatchRunFailureNoted' }
  >;
}

export type SupersedeRun = CommandOf<'SupersedeRun', Recorded<'MatchRunSuperseded'>>;

/** The changes of the run were reverted. */
export type RecordRevert = CommandOf<'RecordRevert', Recorded<'MatchRunUndone'> & { video_id: VideoId }>;

export type RecordLateWriteBack = CommandOf<
  'RecordLateWriteBack',
  /** Without a reason: derived from the run's state. */
  Omit<Recorded<'LateWriteBackArrived'>, 'reason'> & { video_id: VideoId; reason: IgnoredReason | null }
>;

export type MatchRunCommand = StartRun | RecordAnswer | SupersedeRun | RecordRevert | RecordLateWriteBack;

export type MatchRunRefusal = Tagged<'UnknownRun'>;
