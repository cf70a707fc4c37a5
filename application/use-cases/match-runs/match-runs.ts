import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { RevertMatchRun, SpeakersNotFollowed, VideoRefusalOf } from '../../../domain/video/contract.js';
import type { Failure, RevisionChanged } from '../../failures.js';
import { type VideoId, type SpeakerId, RunId } from '../../../domain/kernel/ids.js';
import type { IgnoredReason, MatchRunRefusal } from '../../../domain/match-run/contract.js';
import type { WorkerAnswer } from '../../../domain/video/write-back.js';
import type { VideoEvent, MatchMode } from '../../../domain/video/events.js';
import type { Uses } from '../../application.js';
import { type RequestContext, newId, anyRevision, idsOf } from '../../commands/context.js';
import { performWithAudio, withAudio } from '../videos/change-video.js';

/** POST speaker-face-match and POST speaker-face-match/suggestions (specification, sections 3 and 4.3). */
export const queueMatchRun = (
  app: Uses<'audios' | 'ids' | 'perform' | 'stale_seconds' | 'videos'>,
  request: RequestContext,
  video_id: VideoId,
  mode: MatchMode,
  target_speaker_ids: ReadonlyArray<SpeakerId> | null,
) => {
  const run_id = newId(idsOf(app.ids, request), RunId);
  return pipe(
    performWithAudio(app, request, video_id, (audio) => ({
      type: 'QueueMatchRun',
      run_id,
      mode,
      target_speaker_ids,
      audio,
      stale_seconds: app.stale_seconds,
      at: request.at,
    })),
    TE.map(({ state }) => ({ run_id, audio_id: state._tag === 'Registered' ? state.audio_id : null })),
  );
};

/** The outcome of a write-back. */
export interface WriteBackReceipt {
  readonly status: 'stored' | 'committed' | 'failed' | 'ignored';
  readonly run_id: RunId | null;
  readonly reason: IgnoredReason | null;
  /** Matches that were left out because people decided otherwise; absent if there are none. */
  readonly skipped?: Extract<VideoEvent, { type: 'MatchesCommitted' }>['data']['skipped'];
}

type Needs = Uses<'audios' | 'ids' | 'perform' | 'stale_seconds' | 'videos'>;

type Unapplied = Exclude<VideoRefusalOf<'ReceiveWriteBack'>, SpeakersNotFollowed> | RevisionChanged | Failure;

/** Refusals that are answered with success, as write-backs that change nothing; null: the run knows why. */
const ignoredReasons = {
  RunNotOpen: null,
  RunSuperseded: 'run_superseded',
  NoRunToFail: 'nothing_to_fail',
} as const;
type Ignored = Extract<Unapplied, { readonly _tag: keyof typeof ignoredReasons }>;

export const changesNothing = (refusal: Unapplied): refusal is Ignored => refusal._tag in ignoredReasons;

type Refused = Exclude<Unapplied, Ignored> | MatchRunRefusal;

const receipt = (event: VideoEvent | undefined): WriteBackReceipt => {
  switch (event?.type) {
    case 'SuggestionsStored':
      return { status: 'stored', run_id: event.data.run_id, reason: null, skipped: event.data.skipped };
    case 'MatchesCommitted':
      return { status: 'committed', run_id: event.data.run_id, reason: null, skipped: event.data.skipped };
    case 'MatchRunFailed':
      return { status: 'failed', run_id: event.data.run_id, reason: null };
    default:
      return { status: 'ignored', run_id: null, reason: null };
  }
};

/** Records a write-back that changes nothing in the stream of its run, if it has one. */
const recordIgnored = (
  app: Uses<'perform'>,
  request: RequestContext,
  video_id: VideoId,
  answer: WorkerAnswer,
  { _tag, run_id }: Ignored,
): TE.TaskEither<Refused, WriteBackReceipt> => {
  const reason = ignoredReasons[_tag];
  if (run_id === null) return TE.right({ status: 'ignored', run_id, reason });
  const [matches, error] = answer.status === 'completed' ? [answer.matches, null] : [[], answer.error];
  return pipe(
    app.perform(anyRevision(request), 'matchRuns', run_id, {
      type: 'RecordLateWriteBack',
      video_id,
      reason,
      status: answer.status,
      matches: matches.map(({ face_id, speaker_id, accuracy }) => ({ face_id, speaker_id, accuracy })),
      error,
      at: request.at,
    }),
    TE.map(({ recorded: [late] }) => {
      const recorded = late?.event.type === 'LateWriteBackArrived' ? late.event.data.reason : reason;
      return { status: 'ignored', run_id, reason: recorded };
    }),
  );
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
): TE.TaskEither<Unapplied, WriteBackReceipt> =>
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
    TE.orElse((refusal) =>
      changesNothing(refusal) ? recordIgnored(app, request, video_id, answer, refusal) : TE.left(refusal),
    ),
  );

/** The faces that a run of this video changed. */
export const changesOfRun = (
  app: Uses<'matchRuns'>,
  video_id: VideoId,
  run_id: RunId,
): TE.TaskEither<MatchRunRefusal | Failure, Pick<RevertMatchRun, 'changes' | 'revision'>> =>
  pipe(
    app.matchRuns.load(run_id),
    TE.chainW(({ state }) =>
      state.video_id === video_id
        ? TE.right({ changes: state.changes, revision: state.changed_at })
        : TE.left({ _tag: 'UnknownRun' as const }),
    ),
  );

/**
 * POST match-runs/{run_id}/revert: restores the faces that the run's write-back changed. A dry run returns the same and
 * writes nothing. Faces that were changed again after the run are left as they are.
 */
export const revertMatchRun = (
  app: Uses<'audios' | 'eventsOf' | 'ids' | 'matchRuns' | 'perform' | 'videos'>,
  request: RequestContext,
  video_id: VideoId,
  run_id: RunId,
  dry_run: boolean,
) =>
  pipe(
    changesOfRun(app, video_id, run_id),
    TE.filterOrElseW(
      ({ changes }) => changes.length > 0 || request.write?.taken_over === true,
      () => ({ _tag: 'NothingToRevert', changed_since: [] }) as const,
    ),
    TE.chainW(({ changes, revision }) => {
      const revert = { type: 'RevertMatchRun', run_id, changes, revision, at: request.at } as const;
      return withAudio(app, request, video_id, (audio, context) =>
        app.eventsOf(request, 'videos', video_id, { ...revert, audio }, dry_run, context),
      );
    }),
    TE.map(([event]) =>
      event?.type === 'MatchRunReverted'
        ? { reverted: event.data.changes.map(({ face_id }) => face_id), changed_since: event.data.changed_since }
        : { reverted: [], changed_since: [] },
    ),
  );
