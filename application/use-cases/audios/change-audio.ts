import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { type AudioRefusalOf, isAudioRefusalOf } from '../../../domain/audio/refusals.js';
import { type Failure, type RevisionChanged, refusedFor } from '../../failures.js';
import type {
  ChangeAudioDetails,
  DeleteSpeaker,
  MergeSpeakers,
  SetSpeakerRoles,
} from '../../../domain/audio/contract.js';
import type { AudioState } from '../../../domain/audio/state.js';
import type { AudioId } from '../../../domain/kernel/ids.js';
import type { Uses } from '../../application.js';
import type { RequestContext } from '../../commands/context.js';

/** Changes of an audio's title and speakers; what follows for the faces of its parent video is settled with them. */
export const changeAudio = <Command extends SetSpeakerRoles | MergeSpeakers | DeleteSpeaker | ChangeAudioDetails>(
  app: Uses<'perform'>,
  request: RequestContext,
  audio_id: AudioId,
  command: Command,
): TE.TaskEither<AudioRefusalOf<Command['type']> | RevisionChanged | Failure, AudioState> =>
  pipe(
    app.perform(request, 'audios', audio_id, command),
    refusedFor(isAudioRefusalOf<Command['type']>(command.type)),
    TE.map(({ state }) => state),
  );
