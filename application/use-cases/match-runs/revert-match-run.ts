import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { type VideoRefusalOf, isVideoRefusalOf } from '../../../domain/video/refusals.js';
import { type Failure, type RevisionChanged, narrowRefusal } from '../../failures.js';
import type { FaceId, RunId, VideoId } from '../../../domain/kernel/ids.js';
import type { MatchRunRefusal } from '../../../domain/match-run/contract.js';
import type { RevertMatchRun, VideoCommand } from '../../../domain/video/contract.js';
import type { AudioFacts } from '../../../domain/video/audio-facts.js';
import { video } from '../../../domain/video/decider.js';
import type { VideoEvent } from '../../../domain/video/events.js';
import type { Uses } from '../../application.js';
import { audioFacts, performWithAudio, whenFollowed } from '../videos/with-audio.js';
import { dryRun } from '../../commands/handle-command.js';
import type { RequestContext } from '../../commands/context.js';

export interface RevertedFaces {
  readonly reverted: ReadonlyArray<FaceId>;
  /** Faces that were changed again after the run; they are left as they are. */
  readonly changed_since: ReadonlyArray<FaceId>;
}

type Refusal = VideoRefusalOf<'RevertMatchRun'> | MatchRunRefusal | RevisionChanged | Failure;

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
 * writes nothing.
 */
export const revertMatchRun = (
  app: Uses<'audios' | 'ids' | 'matchRuns' | 'perform' | 'videos'>,
  request: RequestContext,
  video_id: VideoId,
  run_id: RunId,
  dry_run: boolean,
): TE.TaskEither<Refusal, RevertedFaces> =>
  pipe(
    changesOfRun(app, video_id, run_id),
    TE.chainW(({ changes, revision }): TE.TaskEither<Refusal, ReadonlyArray<VideoEvent>> => {
      if (changes.length === 0 && request.write?.taken_over !== true)
        return TE.left({ _tag: 'NothingToRevert', changed_since: [] });
      const revert = (audio: AudioFacts | null): VideoCommand => ({
        type: 'RevertMatchRun',
        run_id,
        changes,
        revision,
        audio,
        at: request.at,
      });
      return dry_run
        ? pipe(
            whenFollowed(
              app,
              request,
              video_id,
              pipe(
                app.videos.load(video_id),
                TE.chain(({ state }) => audioFacts(app, state)),
                TE.chainW((audio) => dryRun(app.videos, video, video_id, revert(audio), request.if_match)),
              ),
            ),
            narrowRefusal(isVideoRefusalOf('RevertMatchRun')),
          )
        : pipe(
            performWithAudio(app, request, video_id, revert),
            narrowRefusal(isVideoRefusalOf('RevertMatchRun')),
            TE.map(({ recorded }) => recorded.map(({ event }) => event)),
          );
    }),
    TE.map(([event]): RevertedFaces =>
      event?.type === 'MatchRunReverted'
        ? { reverted: event.data.changes.map(({ face_id }) => face_id), changed_since: event.data.changed_since }
        : { reverted: [], changed_since: [] },
    ),
  );
