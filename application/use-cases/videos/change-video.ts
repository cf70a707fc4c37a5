import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { type VideoRefusalOf, isVideoRefusalOf } from '../../../domain/video/refusals.js';
import { type Failure, type RevisionChanged, narrowRefusal } from '../../failures.js';
import type { VideoId } from '../../../domain/kernel/ids.js';
import type {
  ChangeVideoDetails,
  RecordPersonalityTraits,
  RemoveTag,
  RenameFaces,
  UnmatchFace,
  Mapping,
  LinkDecision,
} from '../../../domain/video/contract.js';
import type { VideoState } from '../../../domain/video/state.js';
import type { Uses } from '../../application.js';
import type { RequestContext } from '../../commands/context.js';
import { performWithAudio } from './with-audio.js';

/** Changes a video by commands that do not depend on its audio. */
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
    narrowRefusal(isVideoRefusalOf<Command['type']>(command.type)),
    TE.map(({ state }) => state),
  );

/** PUT speaker-face-match (specification, section 4.1). */
export const matchFaces = (
  app: Uses<'audios' | 'ids' | 'perform' | 'videos'>,
  request: RequestContext,
  video_id: VideoId,
  mappings: ReadonlyArray<Mapping>,
): TE.TaskEither<VideoRefusalOf<'MatchFaces'> | RevisionChanged | Failure, void> =>
  pipe(
    performWithAudio(app, request, video_id, (audio) => ({ type: 'MatchFaces', mappings, audio, at: request.at })),
    narrowRefusal(isVideoRefusalOf('MatchFaces')),
    TE.map(() => undefined),
  );

/** POST speaker-face-match/decisions (contract, Decisions of people). */
export const decideLinks = (
  app: Uses<'audios' | 'ids' | 'perform' | 'videos'>,
  request: RequestContext,
  video_id: VideoId,
  decisions: ReadonlyArray<LinkDecision>,
): TE.TaskEither<VideoRefusalOf<'DecideLinks'> | RevisionChanged | Failure, void> =>
  pipe(
    performWithAudio(app, request, video_id, (audio) => ({ type: 'DecideLinks', decisions, audio, at: request.at })),
    narrowRefusal(isVideoRefusalOf('DecideLinks')),
    TE.map(() => undefined),
  );
