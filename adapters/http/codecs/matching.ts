import * as t from 'io-ts';
import { nullable, JsonObject } from '../../../domain/kernel/recorded-event.js';
import { FaceId, NamedId, SpeakerId, AudioId, RunId, VideoId } from '../../../domain/kernel/ids.js';
import { Accuracy, FaceAttributes } from '../../../domain/video/changes.js';
import { MatchChannel } from '../../../domain/video/write-back.js';
import {
  described,
  natural,
  BodyRunId,
  NameText,
  ReasonText,
  Targets,
  limits,
  list,
  pageOf,
  record,
} from './values.js';
import { ProcessingStatus } from '../../../domain/kernel/media.js';
import { RecordFields } from '../../../domain/kernel/edit.js';
import { Timestamp } from '../../../domain/kernel/timestamp.js';
import { IgnoredReason } from '../../../domain/match-run/contract.js';
import { MatchMode, SkippedMatch } from '../../../domain/video/events.js';
import { LinkDecision } from '../../../projections/link-decisions.js';
import { QuestionName, ReviewQuestion } from '../../../projections/review.js';
import { LateWriteView, MatchRunView } from '../../../projections/views.js';

const Mapping = record({ face_id: NamedId, speaker_id: NamedId }, { name: nullable(NameText) }, 'Mapping');

export const MatchFacesBody = t.type({ mappings: list(Mapping, limits.items, 'mappings') }, 'MatchFacesBody');

const Revision = described(
  t.refinement(t.number, (n) => Number.isSafeInteger(n) && n >= 0, 'Revision'),
  natural.schema,
  natural.expected,
);

const removed = described(
  new t.UndefinedType(),
  { not: {}, description: 'This field was removed; a body that contains it is refused.' },
  'absent: the field was removed',
);

/** `target_face_ids` is a removed field: a body that has it is refused (specification, sections 4.3 and 9). */
export const MatchRunBody = t.partial(
  { target_speaker_ids: nullable(Targets), target_face_ids: removed },
  'MatchRunBody',
);

const WrittenMatch = record(
  { face_id: FaceId, speaker_id: SpeakerId, accuracy: Accuracy },
  { channel: nullable(MatchChannel), evidence: nullable(JsonObject) },
);

const WrittenCandidate = record({ face_id: FaceId, accuracy: Accuracy }, { matched_speaker_id: nullable(SpeakerId) });
export type WrittenCandidate = t.TypeOf<typeof WrittenCandidate>;

/** The result of a worker. `matches` may be absent only if the status is failed. */
export const WriteBackBody = t.partial(
  {
    run_id: nullable(BodyRunId),
    /** The revision of the video whose ids the answer uses. */
    video_revision: nullable(Revision),
    status: nullable(t.keyof({ completed: null, failed: null }, 'WriteBackStatus')),
    error: nullable(ReasonText),
    matches: nullable(list(WrittenMatch, limits.items, 'matches')),
    unmatched_speakers: nullable(
      list(
        record(
          { speaker_id: SpeakerId, reason: ReasonText },
          { candidates: nullable(list(WrittenCandidate, limits.items, 'candidates')), nobody: nullable(Accuracy) },
        ),
        limits.speakers,
        'speakers',
      ),
    ),
  },
  'WriteBackBody',
);
export type WriteBackBody = t.TypeOf<typeof WriteBackBody>;

const Verdict = t.keyof({ confirmed: null, rejected: null }, 'LinkVerdict');

/** Whether a face belongs to a speaker. Confirmed without a face: the speaker is not visible. */
const WrittenDecision = described(
  t.refinement(
    t.type({ speaker_id: NamedId, face_id: nullable(NamedId), verdict: Verdict }),
    ({ face_id, verdict }) => face_id !== null || verdict === 'confirmed',
    'WrittenDecision',
  ),
  {
    description: 'A rejection requires a face.',
    not: { properties: { verdict: { const: 'rejected' }, face_id: { type: 'null' } }, required: ['verdict'] },
  },
  'a decision that has a face_id if its verdict is rejected',
);

export const DecisionsBody = t.type({ decisions: list(WrittenDecision, limits.items, 'decisions') }, 'DecisionsBody');

/** With `dry_run`, the answer is the same but nothing is written. */
export const RevertBody = t.partial({ dry_run: nullable(t.boolean) }, 'RevertBody');

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

export const WriteBackReceipt = record(
  { status: t.keyof({ stored: null, committed: null, failed: null, ignored: null }), run_id: nullable(RunId) },
  { reason: IgnoredReason, skipped: t.readonlyArray(SkippedMatch) },
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

const { owner_id: _owner, open: _open, names: _names, ...asked } = ReviewQuestion.types[0].props;

const Question = record(
  { ...asked, kind: t.keyof(asked.kind.keys) },
  { names: t.readonlyArray(QuestionName) },
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
