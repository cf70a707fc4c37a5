import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { type AudioState, lastRenamedAt, lastRenumbering } from '../../../domain/audio/state.js';
import type { AudioFacts } from '../../../domain/video/audio-facts.js';
import type { VideoState } from '../../../domain/video/state.js';
import type { Uses } from '../../application.js';
import type { Failure, RevisionChanged } from '../../failures.js';
import type { VideoId } from '../../../domain/kernel/ids.js';
import type { VideoCommand } from '../../../domain/video/contract.js';
import type { SpeakersNotFollowed, VideoRefusal } from '../../../domain/video/refusals.js';
import type { VideoEvent } from '../../../domain/video/events.js';
import type { CommandResult } from '../../commands/handle-command.js';
import { type RequestContext, commandContext } from '../../commands/context.js';
import { whenFollowed } from './follow-speakers.js';

/** What decisions about faces need to know of an audio; null if it does not exist. */
export const factsOf = (audio: AudioState): AudioFacts | null =>
  audio._tag !== 'Registered'
    ? null
    : {
        status: audio.status,
        speakers: [...audio.speakers.values()],
        renamed_at: lastRenamedAt(audio),
        renumbered_at: lastRenumbering(audio),
      };

/** The facts of a video's audio; null if it has none. */
export const audioFacts = (app: Uses<'audios'>, video: VideoState): TE.TaskEither<Failure, AudioFacts | null> =>
  video._tag !== 'Registered' || video.audio_id === null
    ? TE.right(null)
    : pipe(
        app.audios.load(video.audio_id),
        TE.map(({ state }) => factsOf(state)),
      );

/** Gives a video a command that depends on its audio. */
export const performWithAudio = (
  app: Uses<'audios' | 'ids' | 'perform' | 'videos'>,
  request: RequestContext,
  video_id: VideoId,
  command: (audio: AudioFacts | null) => VideoCommand,
): TE.TaskEither<
  Exclude<VideoRefusal, SpeakersNotFollowed> | RevisionChanged | Failure,
  CommandResult<VideoState, VideoEvent>
> => {
  const context = commandContext(app.ids, request);
  const decided = pipe(
    app.videos.load(video_id),
    TE.chain(({ state }) => audioFacts(app, state)),
    TE.chainW((audio) => app.perform(request, 'videos', video_id, command(audio), context)),
  );
  return whenFollowed(app, request, video_id, decided);
};
