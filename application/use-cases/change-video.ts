import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { VideoId } from '../../domain/kernel/ids.js';
import type {
  ChangeVideoDetails,
  RecordPersonalityTraits,
  RemoveTag,
  RenameFaces,
  UnmatchFace,
  VideoRefusal,
} from '../../domain/video/contract.js';
import type { VideoState } from '../../domain/video/state.js';
import type { Application } from '../application.js';
import type { Failure, RevisionChanged } from '../failures.js';
import { perform } from '../perform.js';
import { type RequestContext, commandContext } from '../request-context.js';

/** Changes of a video that need to know nothing but the video: face names, personality data, details, a tag or a match that goes. */
export const changeVideo = (
  app: Application,
  request: RequestContext,
  video_id: VideoId,
  command: RenameFaces | RecordPersonalityTraits | RemoveTag | UnmatchFace | ChangeVideoDetails,
): TE.TaskEither<VideoRefusal | RevisionChanged | Failure, VideoState> =>
  pipe(
    perform(app, request)(app.videos, video_id, command, commandContext(app.ids, request, request.if_match)),
    TE.map(({ state }) => state),
  );
