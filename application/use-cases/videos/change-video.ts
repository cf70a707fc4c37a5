import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { type VideoRefusalOf, isVideoRefusalOf } from '../../../domain/video/refusals.js';
import { type Failure, type RevisionChanged, refusedFor } from '../../failures.js';
import type { VideoId } from '../../../domain/kernel/ids.js';
import type {
  ChangeVideoDetails,
  RecordPersonalityTraits,
  RemoveTag,
  RenameFaces,
  UnmatchFace,
} from '../../../domain/video/contract.js';
import type { VideoState } from '../../../domain/video/state.js';
import type { Uses } from '../../application.js';
import type { RequestContext } from '../../commands/context.js';

/** Changes of a video that need to know nothing but the video: face names, personality data, details, a tag or a match that goes. */
export const changeVideo = <
  Command extends RenameFaces | RecordPersonalityTraits | RemoveTag | UnmatchFace | ChangeVideoDetails,
>(
  app: Uses<'perform'>,
  request: RequestContext,
  video_id: VideoId,
  command: Command,
): TE.TaskEither<VideoRefusalOf<Command['type']> | RevisionChanged | Failure, VideoState> =>
  pipe(
    app.perform(request, 'videos', video_id, command),
    refusedFor(isVideoRefusalOf<Command['type']>(command.type)),
    TE.map(({ state }) => state),
  );
