import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import {
  type AudioRefusalOf,
  isAudioRefusalOf,
  type ChangeAudioDetails,
  type DeleteSpeaker,
  type MergeSpeakers,
  type SetSpeakerRoles,
  type RenameSpeakers,
} from '../../../domain/audio/contract.js';
import { type Failure, type RevisionChanged, narrowRefusal } from '../../failures.js';
import type { AudioState } from '../../../domain/audio/state.js';
import type { AudioId } from '../../../domain/kernel/ids.js';
import type { Uses } from '../../application.js';
import type { RequestContext } from '../../commands/context.js';
import { type Timestamp, laterThan } from '../../../domain/kernel/timestamp.js';

/** Changes an audio's title or speakers. Reactions update the matched faces of the parent video. */
export const changeAudio = <Command extends SetSpeakerRoles | MergeSpeakers | DeleteSpeaker | ChangeAudioDetails>(
  app: Uses<'perform'>,
  request: RequestContext,
  audio_id: AudioId,
  command: Command,
): TE.TaskEither<AudioRefusalOf<Command['type']> | RevisionChanged | Failure, AudioState> =>
  pipe(
    app.perform(request, 'audios', audio_id, command),
    narrowRefusal(isAudioRefusalOf<Command['type']>(command.type)),
    TE.map(({ state }) => state),
  );

/** When the faces of the parent video were named: the renaming must be dated later to apply to them. */
const faceChanges = (app: Uses<'videos'>, audio: AudioState): TE.TaskEither<Failure, ReadonlyArray<Timestamp | null>> =>
  audio._tag !== 'Registered' || audio.video_id === null
    ? TE.right([])
    : pipe(
        app.videos.load(audio.video_id),
        TE.map(({ state }) =>
          state._tag !== 'Registered' ? [] : [...state.faces.values()].map(({ named_at }) => named_at),
        ),
      );

/** PUT /v1/audios/{audio_id}/speakers/names. Reactions rename the matched faces of the parent video. */
export const renameSpeakers = (
  app: Uses<'audios' | 'perform' | 'videos'>,
  request: RequestContext,
  audio_id: AudioId,
  speakers: RenameSpeakers['speakers'],
): TE.TaskEither<AudioRefusalOf<'RenameSpeakers'> | RevisionChanged | Failure, AudioState> =>
  pipe(
    app.audios.load(audio_id),
    TE.chain(({ state }) => faceChanges(app, state)),
    TE.chainW((changes) =>
      app.perform(request, 'audios', audio_id, {
        type: 'RenameSpeakers',
        speakers,
        at: laterThan(request.at, changes),
      }),
    ),
    narrowRefusal(isAudioRefusalOf('RenameSpeakers')),
    TE.map(({ state }) => state),
  );
