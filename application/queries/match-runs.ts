import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { refusalOf } from '../../domain/kernel/erased.js';
import type { RunId, VideoId } from '../../domain/kernel/ids.js';
import { secondsBetween } from '../../domain/kernel/timestamp.js';
import type { MatchRunRefusal } from '../../domain/match-run/contract.js';
import { type LinkDecision, effectiveDecisions } from '../../projections/link-decisions.js';
import type { Listing, PageRequest, Queries, ReadModelsUnavailable } from '../../projections/queries.js';
import type { ReviewQuestion, ReviewScope } from '../../projections/review.js';
import { type RunState, runState } from '../../projections/run-status.js';
import type { MatchRunView } from '../../projections/views.js';
import type { Uses } from '../application.js';
import type { Failure } from '../failures.js';

interface Needs {
  readonly app: Uses<'clock' | 'stale_seconds' | 'videos'>;
  readonly queries: Queries;
}

/** A run with its state and the decisions about its video, which a worker must respect. */
export type ShownRun = MatchRunView & { readonly state: RunState; readonly decisions: ReadonlyArray<LinkDecision> };

export const shownRuns = (
  { app, queries }: Needs,
  runs: ReadonlyArray<MatchRunView>,
): TE.TaskEither<ReadModelsUnavailable, ReadonlyArray<ShownRun>> =>
  pipe(
    [...new Set(runs.flatMap(({ video_id }) => video_id ?? []))],
    TE.traverseSeqArray((video_id) =>
      pipe(
        queries.untaggedVideo(video_id),
        TE.map((view) => [video_id, effectiveDecisions(view?.decisions ?? [])] as const),
      ),
    ),
    TE.map((found) => {
      const decisions = new Map<string | null, ReadonlyArray<LinkDecision>>(found);
      return runs.map((run) => ({
        ...run,
        state: runState(run, app.clock.now(), app.stale_seconds),
        decisions: decisions.get(run.video_id) ?? [],
      }));
    }),
  );

/** Why a run cannot be shown. */
export type NotShown = MatchRunRefusal | Failure | ReadModelsUnavailable;

/** Why there is no run to show: its video may have been erased while the request waited. */
const absent = ({ app }: Needs, video_id: VideoId): TE.TaskEither<NotShown, never> =>
  pipe(
    app.videos.load(video_id),
    TE.chainW(({ state }) => TE.left<NotShown>(state._tag === 'Erased' ? refusalOf(state) : { _tag: 'UnknownRun' })),
  );

/** A run of a video. */
export const readRun = (needs: Needs, video_id: VideoId, run_id: RunId): TE.TaskEither<NotShown, ShownRun> =>
  pipe(
    needs.queries.matchRun(run_id),
    TE.chainW((run) => (run?.video_id === video_id ? shownRuns(needs, [run]) : TE.right([]))),
    TE.chainW(([run]) => (run === undefined ? absent(needs, video_id) : TE.right(run))),
  );

/** In how many milliseconds a run will be stale; null if it is no longer in flight. */
export const staleInMs = ({ app }: Needs, { queued_at, state }: ShownRun): number | null => {
  if (queued_at === null || state !== 'in_flight') return null;
  return Math.max(0, app.stale_seconds - secondsBetween(queued_at, app.clock.now())) * 1_000 + 1;
};

/** Removes questions about speakers that were deleted: deleting a speaker does not change the video. */
const withExistingSpeakers = (
  { queries }: Pick<Needs, 'queries'>,
  found: Listing<ReviewQuestion>,
): TE.TaskEither<ReadModelsUnavailable, Listing<ReviewQuestion>> =>
  pipe(
    [...new Set(found.items.flatMap(({ audio_id }) => audio_id ?? []))],
    TE.traverseSeqArray((audio_id) =>
      pipe(
        queries.audio(audio_id),
        TE.map((view) => (view?.record.speakers ?? []).map(({ speaker_id }) => `${audio_id} ${speaker_id}`)),
      ),
    ),
    TE.map((speakers) => new Set(speakers.flat())),
    TE.map((there) => ({
      ...found,
      items: found.items.filter(({ audio_id, speaker_id }) => there.has(`${audio_id} ${speaker_id}`)),
    })),
  );

/** Questions for people about matches and names. */
export const readQuestions = (needs: Pick<Needs, 'queries'>, scope: ReviewScope, page: PageRequest) =>
  pipe(
    needs.queries.review(scope, page),
    TE.chainW((found) => withExistingSpeakers(needs, found)),
  );
