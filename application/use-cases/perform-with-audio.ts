import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { lastRenaming } from '../../domain/audio/state.js';
import type { VideoId } from '../../domain/kernel/ids.js';
import type { AudioFacts, VideoCommand, VideoRefusal } from '../../domain/video/contract.js';
import type { VideoEvent } from '../../domain/video/events.js';
import type { VideoState } from '../../domain/video/state.js';
import type { Application } from '../application.js';
import { type Failure, type RevisionChanged, isFailure } from '../failures.js';
import type { Handled } from '../handle-command.js';
import { perform } from '../perform.js';
import { type RequestContext, commandContext } from '../request-context.js';

/** From what this instance knows, or from the store. */
type How = 'known' | 'load';

/** What is to be known of the video's audio; null when it has none. */
const audioOf = (app: Application, video: VideoState, how: How): TE.TaskEither<Failure, AudioFacts | null> =>
  video._tag === 'Unregistered' || video.audio_id === null
    ? TE.right(null)
    : pipe(
        app.audios[how](video.audio_id),
        TE.map(({ state }) =>
          state._tag === 'Unregistered'
            ? null
            : { status: state.status, speakers: [...state.speakers.values()], renamed_at: lastRenaming(state) },
        ),
      );

/** Gives a video a command that needs to know its audio. What is refused for what is known is asked of the store. */
export const performWithAudio = (
  app: Application,
  request: RequestContext,
  video_id: VideoId,
  command: (audio: AudioFacts | null) => VideoCommand,
): TE.TaskEither<VideoRefusal | RevisionChanged | Failure, Handled<VideoState, VideoEvent>> => {
  const decideOn = (how: How) =>
    pipe(
      app.videos[how](video_id),
      TE.chain(({ state }) => audioOf(app, state, how)),
      TE.chainW((audio) =>
        perform(app, request)(app.videos, video_id, command(audio), commandContext(app.ids, request, request.if_match)),
      ),
    );
  return pipe(
    decideOn('known'),
    TE.orElse((left) => (isFailure(left) ? TE.left(left) : decideOn('load'))),
  );
};
