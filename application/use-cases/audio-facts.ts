import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { AudioFacts } from '../../domain/video/contract.js';
import type { VideoState } from '../../domain/video/state.js';
import type { Application } from '../application.js';
import type { Failure } from '../failures.js';

/** What decisions about a video's faces have to know of its audio; null when it has none. */
export const audioFacts = (app: Application, video: VideoState): TE.TaskEither<Failure, AudioFacts | null> =>
  video._tag === 'Unregistered' || video.audio_id === null
    ? TE.right(null)
    : pipe(
        app.audios.load(video.audio_id),
        TE.map(({ state }) =>
          state._tag === 'Unregistered' ? null : { status: state.status, speakers: [...state.speakers.values()] },
        ),
      );
