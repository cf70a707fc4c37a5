import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { type VideoRefusalOf, isVideoRefusalOf } from '../../../domain/video/refusals.js';
import { type Failure, type RevisionChanged, narrowRefusal } from '../../failures.js';
import { type VideoId, RunId } from '../../../domain/kernel/ids.js';
import type { IgnoredReason, MatchRunRefusal } from '../../../domain/match-run/contract.js';
import type { WorkerAnswer } from '../../../domain/video/suggestion-block.js';
import type { VideoEvent } from '../../../domain/video/events.js';
import type { Uses } from '../../application.js';
import { newId } from '../../ports/ids.js';
import { type RequestContext, anyRevision, idsOf } from '../../commands/context.js';
import { performWithAudio } from '../videos/with-audio.js';

/** The outcome of a write-back. */
export interface WriteBackReceipt {
  readonly status: 'stored' | 'committed' | 'failed' | 'ignored';
  readonly run_id: RunId | null;
  readonly reason: IgnoredReason | null;
  /** Matches that were left out because people decided otherwise. */
  readonly skipped: Extract<VideoEvent, { type: 'MatchesCommitted' }>['data']['skipped'];
}

type Needs = Uses<'audios' | 'ids' | 'perform' | 'stale_seconds' | 'videos'>;

/** Answered with success, as a write-back that changes nothing. */
type Ignored = Extract<VideoRefusalOf<'ReceiveWriteBack'>, { _tag: 'RunNotOpen' | 'RunSuperseded' | 'NoRunToFail' }>;

export const changesNothing = ({ _tag }: { readonly _tag: string }): boolean =>
  _tag === 'RunNotOpen' || _tag === 'RunSuperseded' || _tag === 'NoRunToFail';

type Refused = Exclude<VideoRefusalOf<'ReceiveWriteBack'>, Ignored> | MatchRunRefusal | RevisionChanged | Failure;

const receipt = (event: VideoEvent | undefined): WriteBackReceipt => {
  switch (event?.type) {
    case 'SuggestionsStored':
      return { status: 'stored', run_id: event.data.run_id, reason: null, skipped: event.data.skipped };
    case 'MatchesCommitted':
      return { status: 'committed', run_id: event.data.run_id, reason: null, skipped: event.data.skipped };
    case 'MatchRunFailed':
      return { status: 'failed', run_id: event.data.run_id, reason: null, skipped: undefined };
    default:
      return { status: 'ignored', run_id: null, reason: null, skipped: undefined };
  }
};

/** Records a write-back that changes nothing in the stream of its run. */
const recordIgnored = (
  app: Uses<'perform'>,
  request: RequestContext,
  video_id: VideoId,
  run_id: RunId,
  reason: IgnoredReason | null,
  answer: WorkerAnswer,
): TE.TaskEither<Refused, WriteBackReceipt> =>
  pipe(
    app.perform(anyRevision(request), 'matchRuns', run_id, {
      type: 'RecordLateWriteBack',
      video_id,
      reason,
      status: answer.status,
      matches:
        answer.status === 'completed'
          ? answer.matches.map(({ face_id, speaker_id, accuracy }) => ({ face_id, speaker_id, accuracy }))
          : [],
      error: answer.status === 'failed' ? answer.error : null,
      at: request.at,
    }),
    TE.map(({ recorded }) => {
      const event = recorded[0]?.event;
      const recordedReason = event?.type === 'LateWriteBackArrived' ? event.data.reason : reason;
      return { status: 'ignored', run_id, reason: recordedReason, skipped: undefined };
    }),
  );

const whenRefused = (
  app: Uses<'perform'>,
  request: RequestContext,
  video_id: VideoId,
  answer: WorkerAnswer,
  refusal: VideoRefusalOf<'ReceiveWriteBack'> | RevisionChanged | Failure,
): TE.TaskEither<Refused, WriteBackReceipt> => {
  switch (refusal._tag) {
    case 'RunNotOpen':
      return recordIgnored(app, request, video_id, refusal.run_id, null, answer);
    case 'RunSuperseded':
      return recordIgnored(app, request, video_id, refusal.run_id, 'run_superseded', answer);
    case 'NoRunToFail':
      return refusal.run_id === null
        ? TE.right({ status: 'ignored', run_id: null, reason: 'nothing_to_fail', skipped: undefined })
        : recordIgnored(app, request, video_id, refusal.run_id, 'nothing_to_fail', answer);
    default:
      return TE.left(refusal);
  }
};

/**
 * Applies a write-back to the video; one that changes nothing is refused, and leaves no trace. `video_revision`: whose
 * ids it uses; null: those of the run's trigger.
 */
export const applyWriteBack = (
  app: Needs,
  request: RequestContext,
  video_id: VideoId,
  run_id: RunId | null,
  answer: WorkerAnswer,
  video_revision: number | null = null,
): TE.TaskEither<VideoRefusalOf<'ReceiveWriteBack'> | RevisionChanged | Failure, WriteBackReceipt> =>
  pipe(
    performWithAudio(app, request, video_id, (audio) => ({
      type: 'ReceiveWriteBack',
      run_id,
      unattributed_run_id: newId(idsOf(app.ids, request), RunId),
      answer,
      video_revision,
      audio,
      stale_seconds: app.stale_seconds,
      at: request.at,
    })),
    narrowRefusal(isVideoRefusalOf('ReceiveWriteBack')),
    TE.map(({ recorded }) => receipt(recorded[0]?.event)),
  );

/** PUT matched_speakers, from any worker including the embedded one (specification, section 3). */
export const receiveWriteBack = (
  app: Needs,
  request: RequestContext,
  video_id: VideoId,
  run_id: RunId | null,
  answer: WorkerAnswer,
  video_revision: number | null = null,
): TE.TaskEither<Refused, WriteBackReceipt> =>
  pipe(
    applyWriteBack(app, request, video_id, run_id, answer, video_revision),
    TE.orElse((refusal) => whenRefused(app, request, video_id, answer, refusal)),
  );
