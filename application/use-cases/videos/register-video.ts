import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { type VideoRefusalOf, isVideoRefusalOf } from '../../../domain/video/refusals.js';
import { type AudioRefusalOf, isAudioRefusalOf } from '../../../domain/audio/contract.js';
import { type Failure, type RevisionChanged, narrowRefusal } from '../../failures.js';
import { type MediumErased, refusalOf } from '../../../domain/kernel/erased.js';
import type { AudioId } from '../../../domain/kernel/ids.js';
import type { RegisterVideo } from '../../../domain/video/contract.js';
import type { Uses } from '../../application.js';
import { type RequestContext, anyRevision } from '../../commands/context.js';

/** `audio_id` names no audio of the caller's. */
export interface UnavailableAudio {
  readonly _tag: 'UnavailableAudio';
  readonly audio_id: AudioId;
}

type Refusal =
  | VideoRefusalOf<'RegisterVideo'>
  | AudioRefusalOf<'AttachAudio'>
  | UnavailableAudio
  | RevisionChanged
  | Failure;

const ownAudio = (
  app: Uses<'audios'>,
  { caller }: RequestContext,
  audio_id: AudioId,
): TE.TaskEither<UnavailableAudio | Failure, void> =>
  pipe(
    app.audios.load(audio_id),
    TE.chainW(({ state }): TE.TaskEither<UnavailableAudio | MediumErased, void> => {
      if (state._tag === 'Unregistered' || !(caller.admin || state.owner_id === caller.account_id))
        return TE.left({ _tag: 'UnavailableAudio' as const, audio_id });
      return state._tag === 'Erased' ? TE.left(refusalOf(state)) : TE.right(undefined);
    }),
  );

/** The audio decides who its parent is; the video's registration follows from that. */
const registerWithAudio = (
  app: Uses<'audios' | 'perform' | 'videos'>,
  request: RequestContext,
  { video_id, owner_id, title, kind, media_url }: RegisterVideo,
  audio_id: AudioId,
): TE.TaskEither<Refusal, void> =>
  pipe(
    app.videos.load(video_id),
    TE.chainW(({ state }): TE.TaskEither<Refusal, void> => {
      if (state._tag === 'Erased') return TE.left(refusalOf(state));
      return state._tag === 'Registered' && request.write?.taken_over !== true
        ? TE.left({ _tag: 'VideoExists' as const, video_id })
        : TE.right(undefined);
    }),
    TE.chainW(() => ownAudio(app, request, audio_id)),
    TE.chainW(() =>
      pipe(
        app.perform(anyRevision(request), 'audios', audio_id, {
          type: 'AttachAudio',
          video_id,
          owner_id,
          title,
          kind,
          media_url,
        }),
        narrowRefusal(isAudioRefusalOf('AttachAudio')),
      ),
    ),
    TE.chainW(() => app.videos.load(video_id)),
    TE.chainW(({ state }) =>
      state._tag === 'Registered' && state.audio_id === audio_id
        ? TE.right(undefined)
        : TE.left({ _tag: 'VideoExists' as const, video_id }),
    ),
  );

/** POST /v2/videos. `audio_id`, when given, must name an audio of the caller's that has no parent. */
export const registerVideo = (
  app: Uses<'audios' | 'perform' | 'videos'>,
  request: RequestContext,
  command: RegisterVideo,
): TE.TaskEither<Refusal, void> =>
  command.audio_id === null
    ? pipe(
        app.perform(anyRevision(request), 'videos', command.video_id, command),
        narrowRefusal(isVideoRefusalOf('RegisterVideo')),
        TE.map(() => undefined),
      )
    : registerWithAudio(app, request, command, command.audio_id);
