import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { RequestContext } from '../../../application/commands/context.js';
import { findChange } from '../../../application/use-cases/undo/find-change.js';
import { revertAudioChange, revertVideoChange } from '../../../application/use-cases/undo/revert-change.js';
import { audioId, videoId } from '../values.js';
import type { World } from './world.js';

/** Undoes the change at a position of a video and its audio, which has the same id, where one of them is asked for. */
export const undo = (
  { app }: Pick<World, 'app'>,
  request: RequestContext,
  on: 'video' | 'audio',
  id: string,
  position: string,
) => {
  const [video, audio] = [`video-${id}`, `audio-${id}`];
  const [video_id, audio_id] = [videoId(id), audioId(id)];
  return on === 'video'
    ? pipe(
        findChange(app, video, audio, position),
        TE.chainW((change) => revertVideoChange(app, request, video_id, change, false)),
      )
    : pipe(
        findChange(app, audio, video, position),
        TE.chainW((change) => revertAudioChange(app, request, { audio_id, video_id }, change, false)),
      );
};
