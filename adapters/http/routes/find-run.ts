import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { Failure } from '../../../application/failures.js';
import { refusalOf } from '../../../domain/kernel/erased.js';
import type { RunId, VideoId } from '../../../domain/kernel/ids.js';
import type { UnknownRun } from '../../../domain/match-run/contract.js';
import type { ReadModelBehind, ReadModelsUnavailable } from '../../../projections/queries.js';
import { type Service, queryUpToDate } from '../service.js';
import { type ShownRun, shown, withDecisions } from './shown-runs.js';

export type NotShown = UnknownRun | Failure | ReadModelBehind | ReadModelsUnavailable;

/** Why there is no run to show: its video may have been erased while the request waited. */
const absent = ({ app }: Service, video_id: VideoId): TE.TaskEither<NotShown, never> =>
  pipe(
    app.videos.load(video_id),
    TE.chainW(({ state }) => TE.left<NotShown>(state._tag === 'Erased' ? refusalOf(state) : { _tag: 'UnknownRun' })),
  );

/** A run of a video. Thousands may wait for this answer: it is made once for all of them. */
export const findRun = (service: Service, video_id: VideoId, run_id: RunId): TE.TaskEither<NotShown, ShownRun> =>
  pipe(
    queryUpToDate(service, () => service.queries.matchRun(run_id)),
    TE.chainW((run) =>
      run === null || run.video_id !== video_id ? absent(service, video_id) : withDecisions(service, [run]),
    ),
    TE.chainW(([run]) => (run === undefined ? absent(service, video_id) : TE.right(shown(service, run)))),
  );
