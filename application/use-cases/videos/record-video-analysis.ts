import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { type VideoRefusalOf, isVideoRefusalOf } from '../../../domain/video/refusals.js';
import { type Failure, type RevisionChanged, narrowRefusal } from '../../failures.js';
import type { VideoId } from '../../../domain/kernel/ids.js';
import type { ProcessingStatus } from '../../../domain/kernel/media.js';
import type { AnalysedFace, RecordVideoAnalysis } from '../../../domain/video/contract.js';
import { video } from '../../../domain/video/decider.js';
import type { VideoState } from '../../../domain/video/state.js';
import type { Uses } from '../../application.js';
import type { PackedParts } from '../../evidence/packed-parts.js';
import { writeParts } from '../../evidence/write-parts.js';
import { checkRevision } from '../../commands/decide.js';
import { yieldTask } from '../../ports/event-loop.js';
import type { RequestContext } from '../../commands/context.js';

export interface VideoAnalysis {
  readonly status: ProcessingStatus;
  readonly faces: ReadonlyArray<AnalysedFace>;
  /** When the faces are to be seen: JSON of `FaceTracks`. Null where there are no faces. */
  readonly tracks: PackedParts | null;
}

const writeTracks = (
  app: Uses<'ids' | 'store'>,
  request: RequestContext,
  video_id: VideoId,
  analysis_id: string,
  state: VideoState,
  tracks: PackedParts | null,
): TE.TaskEither<Failure, RecordVideoAnalysis['tracks']> => {
  if (tracks === null) return TE.right(null);
  const last = state._tag === 'Registered' ? state.tracks : null;
  return writeParts(app, request, `faceTracks-${video_id}`, last, tracks, (faces, place) => ({
    type: 'FaceTracksRecorded',
    data: { video_id, analysis_id, ...place, faces },
  }));
};

/**
 * PUT /v2/videos/{video_id}/analysis. The bulky tracks are written first, and nothing refers to them until the
 * video's own event does; an analysis that would be refused, or that is known already, writes nothing.
 */
export const recordVideoAnalysis = (
  app: Uses<'yieldIfBusy' | 'ids' | 'perform' | 'store' | 'videos'>,
  request: RequestContext,
  video_id: VideoId,
  { status, faces, tracks }: VideoAnalysis,
): TE.TaskEither<VideoRefusalOf<'RecordVideoAnalysis'> | RevisionChanged | Failure, void> => {
  const analysis_id = app.ids.digest(JSON.stringify({ status, faces, tracks: tracks?.digest }));
  const command: RecordVideoAnalysis = {
    type: 'RecordVideoAnalysis',
    status,
    analysis_id,
    faces,
    tracks: null,
    at: request.at,
  };
  return pipe(
    app.videos.load(video_id),
    TE.chainFirstTaskK(() => yieldTask(app.yieldIfBusy)),
    TE.chainW(({ state, revision }) =>
      pipe(
        checkRevision(request.if_match, revision),
        E.chainW(() => video.decide(command, state)),
        TE.fromEither,
        TE.chainW((events) =>
          events.length === 0
            ? TE.right<Failure, RecordVideoAnalysis['tracks']>(null)
            : writeTracks(app, request, video_id, analysis_id, state, tracks),
        ),
      ),
    ),
    TE.chainW((written) => app.perform(request, 'videos', video_id, { ...command, tracks: written })),
    narrowRefusal(isVideoRefusalOf('RecordVideoAnalysis')),
    TE.map(() => undefined),
  );
};
