import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { VideoId } from '../../domain/kernel/ids.js';
import type { Mapping, VideoRefusal } from '../../domain/video/contract.js';
import type { Application } from '../application.js';
import type { Failure, RevisionChanged } from '../failures.js';
import { perform } from '../perform.js';
import { type RequestContext, commandContext } from '../request-context.js';
import { audioFacts } from './audio-facts.js';

/** PUT speaker-face-match (specification, section 4.1). */
export const matchFaces = (
  app: Application,
  request: RequestContext,
  video_id: VideoId,
  mappings: ReadonlyArray<Mapping>,
): TE.TaskEither<VideoRefusal | RevisionChanged | Failure, void> =>
  pipe(
    app.videos.load(video_id),
    TE.chain(({ state }) => audioFacts(app, state)),
    TE.chainW((audio) =>
      perform(app, request)(
        app.videos,
        video_id,
        { type: 'MatchFaces', mappings, audio, at: request.at },
        commandContext(app.ids, request, request.if_match),
      ),
    ),
    TE.map(() => undefined),
  );
