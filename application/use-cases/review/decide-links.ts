import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { type VideoRefusalOf, isVideoRefusalOf } from '../../../domain/video/refusals.js';
import { type Failure, type RevisionChanged, refusedFor } from '../../failures.js';
import type { VideoId } from '../../../domain/kernel/ids.js';
import type { LinkDecision } from '../../../domain/video/contract.js';
import type { Uses } from '../../application.js';
import type { RequestContext } from '../../commands/context.js';
import { performWithAudio } from '../videos/audio-facts.js';

/** POST speaker-face-match/decisions (contract, Decisions of people). */
export const decideLinks = (
  app: Uses<'audios' | 'ids' | 'perform' | 'videos'>,
  request: RequestContext,
  video_id: VideoId,
  decisions: ReadonlyArray<LinkDecision>,
): TE.TaskEither<VideoRefusalOf<'DecideLinks'> | RevisionChanged | Failure, void> =>
  pipe(
    performWithAudio(app, request, video_id, (audio) => ({ type: 'DecideLinks', decisions, audio, at: request.at })),
    refusedFor(isVideoRefusalOf('DecideLinks')),
    TE.map(() => undefined),
  );
