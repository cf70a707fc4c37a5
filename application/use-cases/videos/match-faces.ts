import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { type VideoRefusalOf, isVideoRefusalOf } from '../../../domain/video/refusals.js';
import { type Failure, type RevisionChanged, refusedFor } from '../../failures.js';
import type { VideoId } from '../../../domain/kernel/ids.js';
import type { Mapping } from '../../../domain/video/contract.js';
import type { Uses } from '../../application.js';
import type { RequestContext } from '../../commands/context.js';
import { performWithAudio } from './audio-facts.js';

/** PUT speaker-face-match (specification, section 4.1). */
export const matchFaces = (
  app: Uses<'audios' | 'ids' | 'perform' | 'videos'>,
  request: RequestContext,
  video_id: VideoId,
  mappings: ReadonlyArray<Mapping>,
): TE.TaskEither<VideoRefusalOf<'MatchFaces'> | RevisionChanged | Failure, void> =>
  pipe(
    performWithAudio(app, request, video_id, (audio) => ({ type: 'MatchFaces', mappings, audio, at: request.at })),
    refusedFor(isVideoRefusalOf('MatchFaces')),
    TE.map(() => undefined),
  );
