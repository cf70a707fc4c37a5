import * as t from 'io-ts';
import { nullable } from '../../../domain/kernel/recorded-event.js';
import { AudioId, FaceId, RunId, SpeakerId, VideoId } from '../../../domain/kernel/ids.js';
import { JsonObject } from '../../../domain/kernel/json.js';
import { ProcessingStatus } from '../../../domain/kernel/media.js';
import { RecordFields } from '../../../domain/kernel/edit.js';
import { Timestamp } from '../../../domain/kernel/timestamp.js';
import { IgnoredReason } from '../../../domain/match-run/contract.js';
import { MatchMode, SkippedMatch } from '../../../domain/video/events.js';
import { FaceAttributes } from '../../../domain/video/face.js';
import { LinkDecision } from '../../../projections/link-decisions.js';
import { QuestionName } from '../../../projections/review.js';
import { LateWriteView, MatchRunView } from '../../../projections/views.js';
import { pageOf } from './page.js';

/** The answer to an operation that was completed. */
export const Completed = t.type({ status: t.literal('completed'), message: t.string }, 'Completed');

export const StartedRun = t.type(
  {
    video_id: VideoId,
    audio_id: nullable(AudioId),
    status: t.literal('processing'),
    message: t.string,
    run_id: RunId,
  },
  'StartedRun',
);

const StatusOfMedium = t.type({ status: ProcessingStatus }, 'StatusOfMedium');
const StatusOfRun = t.type(
  {
    speaker_face_match_status: nullable(t.keyof({ queue: null, completed: null, failed: null })),
    queued_at: nullable(Timestamp),
    mode: nullable(MatchMode),
    run_id: nullable(RunId),
    in_flight: t.boolean,
    stale: t.boolean,
  },
  'StatusOfRun',
);
export const Statuses = t.union([StatusOfMedium, StatusOfRun], 'Statuses');

export const WriteBackReceipt = t.intersection(
  [
    t.type({
      status: t.keyof({ stored: null, committed: null, failed: null, ignored: null }),
      run_id: nullable(RunId),
    }),
    t.partial({ reason: IgnoredReason, skipped: t.readonlyArray(SkippedMatch) }),
  ],
  'WriteBackReceipt',
);

const RunState = t.keyof(
  { in_flight: null, stale: null, completed: null, failed: null, superseded: null, erased: null },
  'RunState',
);

/** A match run with the decisions about its video, which a worker must respect. */
export const MatchRun = t.intersection(
  [MatchRunView, t.type({ state: RunState, decisions: t.readonlyArray(LinkDecision) })],
  'MatchRun',
);
export const MatchRunPage = pageOf('match_runs', MatchRun, 'MatchRunPage');

export const LateWritePage = pageOf('late_writes', LateWriteView, 'LateWritePage');

export const Decisions = t.type({ decisions: t.readonlyArray(LinkDecision) }, 'Decisions');

const Question = t.intersection(
  [
    t.type({
      kind: t.keyof({ link: null, name: null }),
      video_id: VideoId,
      audio_id: nullable(AudioId),
      speaker_id: SpeakerId,
      candidates: t.readonlyArray(t.type({ face_id: FaceId, accuracy: t.number })),
      nobody: t.number,
      gain: t.number,
      evidence: JsonObject,
    }),
    t.partial({ names: t.readonlyArray(QuestionName) }),
  ],
  'Question',
);
export const QuestionPage = pageOf('questions', Question, 'QuestionPage');

const Face = t.intersection([t.type({ id: FaceId }), FaceAttributes], 'Face');
export const UnmatchedFace = t.type({ status: t.literal('completed'), face: nullable(Face) }, 'UnmatchedFace');

export const RevertedChange = t.type(
  {
    status: t.literal('reverted'),
    position: t.string,
    reverted: t.readonlyArray(RecordFields),
    changed_since: t.readonlyArray(RecordFields),
  },
  'RevertedChange',
);

export const RevertedRun = t.type(
  {
    run_id: RunId,
    status: t.literal('reverted'),
    reverted: t.readonlyArray(FaceId),
    changed_since: t.readonlyArray(FaceId),
  },
  'RevertedRun',
);
