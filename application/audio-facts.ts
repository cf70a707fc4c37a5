import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { type AudioState, lastRenaming } from '../domain/audio/state.js';
import type { AudioFacts } from '../domain/video/audio-facts.js';
import type { VideoState } from '../domain/video/state.js';
import type { Uses } from './application.js';
import type { Failure } from './failures.js';

/** From what this instance knows, or from the store. */
export type How = 'known' | 'load';

/** What a decision about faces has to know of an audio; null of one that is not there. */
export const factsOf = (audio: AudioState): AudioFacts | null =>
  audio._tag !== 'Registered'
    ? null
    : { status: audio.status, speakers: [...audio.speakers.values()], renamed_at: lastRenaming(audio) };

/** What is to be known of a video's audio; null when it has none. */
export const audioFacts = (
  app: Uses<'audios'>,
  video: VideoState,
  how: How = 'load',
): TE.TaskEither<Failure, AudioFacts | null> =>
  video._tag !== 'Registered' || video.audio_id === null
    ? TE.right(null)
    : pipe(
        app.audios[how](video.audio_id),
        TE.map(({ state }) => factsOf(state)),
      );
