import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { VideoId } from '../../domain/kernel/ids.js';
import type { ProcessingStatus } from '../../domain/kernel/media.js';
import type { AnalysedFace, RecordVideoAnalysis, VideoRefusal } from '../../domain/video/contract.js';
import { video } from '../../domain/video/decider.js';
import type { FaceTracks } from '../../domain/video/face-tracks.js';
import type { VideoState } from '../../domain/video/state.js';
import type { Application } from '../application.js';
import { inParts } from '../evidence/in-parts.js';
import { facePieces } from '../evidence/face-pieces.js';
import { writeParts } from '../evidence/write-parts.js';
import type { Failure, RevisionChanged } from '../failures.js';
import { checkRevision } from '../handle-command.js';
import { perform } from '../perform.js';
import { type RequestContext, commandContext } from '../request-context.js';

export interface VideoAnalysis {
  readonly status: ProcessingStatus;
  readonly faces: ReadonlyArray<AnalysedFace & FaceTracks>;
}

const writeTracks = (
  app: Application,
  request: RequestContext,
  video_id: VideoId,
  analysis_id: string,
  state: VideoState,
  faces: ReadonlyArray<FaceTracks>,
): TE.TaskEither<Failure, RecordVideoAnalysis['tracks']> => {
  if (faces.length === 0) return TE.right(null);
  const parts = inParts(faces.flatMap(facePieces));
  return writeParts(
    app,
    request,
    `faceTracks-${video_id}`,
    state._tag === 'Registered' ? state.tracks : null,
    parts.map((part, index) => ({
      type: 'FaceTracksRecorded',
      data: { video_id, analysis_id, part: index, parts: parts.length, faces: part },
    })),
  );
};

/**
 * PUT /v2/videos/{video_id}/analysis. The bulky tracks are written first, and nothing refers to them until the
 * video's own event does; an analysis that would be refused, or that is known already, writes nothing.
 */
export const recordVideoAnalysis = (
  app: Application,
  request: RequestContext,
  video_id: VideoId,
  { status, faces }: VideoAnalysis,
): TE.TaskEither<VideoRefusal | RevisionChanged | Failure, void> => {
  const analysis_id = app.ids.digest(JSON.stringify({ status, faces }));
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
    TE.chainW(({ state, revision }) =>
      pipe(
        checkRevision(request.if_match, revision),
        E.chainW(() => video.decide(command, state)),
        TE.fromEither,
        TE.chainW((events) =>
          events.length === 0
            ? TE.right<Failure, RecordVideoAnalysis['tracks']>(null)
            : writeTracks(app, request, video_id, analysis_id, state, faces),
        ),
      ),
    ),
    TE.chainW((tracks) =>
      perform(app, request)(
        app.videos,
        video_id,
        { ...command, tracks },
        commandContext(app.ids, request, request.if_match),
      ),
    ),
    TE.map(() => undefined),
  );
};
