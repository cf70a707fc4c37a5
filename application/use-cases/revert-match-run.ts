import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { FaceId, RunId, VideoId } from '../../domain/kernel/ids.js';
import type { MatchRunRefusal } from '../../domain/match-run/contract.js';
import type { VideoRefusal } from '../../domain/video/contract.js';
import type { FaceChange } from '../../domain/video/face.js';
import type { Application } from '../application.js';
import type { Failure, RevisionChanged } from '../failures.js';
import type { RequestContext } from '../request-context.js';
import { performWithAudio } from './perform-with-audio.js';

/** The run changed no face, or all that it changed was put back before. */
export interface NothingToRevert {
  readonly _tag: 'NothingToRevert';
  readonly run_id: RunId;
}

export interface Reverted {
  readonly reverted: ReadonlyArray<FaceId>;
  /** Faces that something else changed after the run did; they stay as they are. */
  readonly changed_since: ReadonlyArray<FaceId>;
}

type Refusal = VideoRefusal | MatchRunRefusal | NothingToRevert | RevisionChanged | Failure;

const changesOf = (
  app: Application,
  video_id: VideoId,
  run_id: RunId,
): TE.TaskEither<Refusal, ReadonlyArray<FaceChange>> =>
  pipe(
    app.matchRuns.load(run_id),
    TE.chainW(({ state }): TE.TaskEither<Refusal, ReadonlyArray<FaceChange>> => {
      if (state.video_id !== video_id) return TE.left({ _tag: 'UnknownRun' });
      return state.changes.length === 0 ? TE.left({ _tag: 'NothingToRevert', run_id }) : TE.right(state.changes);
    }),
  );

/** POST match-runs/{run_id}/revert: puts the faces that this run's write-back changed back to what they were. */
export const revertMatchRun = (
  app: Application,
  request: RequestContext,
  video_id: VideoId,
  run_id: RunId,
): TE.TaskEither<Refusal, Reverted> =>
  pipe(
    changesOf(app, video_id, run_id),
    TE.chainW((changes) =>
      pipe(
        performWithAudio(app, request, video_id, (audio) => ({
          type: 'RevertMatchRun',
          run_id,
          changes,
          audio,
          at: request.at,
        })),
        TE.map(({ recorded }): Reverted => {
          const event = recorded[0]?.event;
          return event?.type === 'MatchRunReverted'
            ? {
                reverted: event.data.changes.map(({ face_id }) => face_id),
                changed_since: event.data.changed_since,
              }
            : { reverted: [], changed_since: changes.map(({ face_id }) => face_id) };
        }),
      ),
    ),
  );
