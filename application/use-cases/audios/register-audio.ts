import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { type VideoRefusalOf, isVideoRefusalOf } from '../../../domain/video/refusals.js';
import { type AudioRefusalOf, isAudioRefusalOf, type RegisterAudio } from '../../../domain/audio/contract.js';
import { type Failure, type RevisionChanged, narrowRefusal } from '../../failures.js';
import { type MediumErased, refusalOf } from '../../../domain/kernel/erased.js';
import type { VideoId } from '../../../domain/kernel/ids.js';
import type { Uses } from '../../application.js';
import { type RequestContext, anyRevision } from '../../commands/context.js';

/** `video_id` is not a video of the caller. */
export interface UnavailableVideo {
  readonly _tag: 'UnavailableVideo';
  readonly video_id: VideoId;
}

type Refusal =
  | AudioRefusalOf<'RegisterAudio'>
  | VideoRefusalOf<'AssociateAudio'>
  | UnavailableVideo
  | RevisionChanged
  | Failure;

const ownVideo = (
  app: Uses<'videos'>,
  { caller }: RequestContext,
  video_id: VideoId,
): TE.TaskEither<UnavailableVideo | Failure, void> =>
  pipe(
    app.videos.load(video_id),
    TE.chainW(({ state }): TE.TaskEither<UnavailableVideo | MediumErased, void> => {
      if (state._tag === 'Unregistered' || !(caller.admin || state.owner_id === caller.account_id))
        return TE.left({ _tag: 'UnavailableVideo' as const, video_id });
      return state._tag === 'Erased' ? TE.left(refusalOf(state)) : TE.right(undefined);
    }),
  );

/** Associates the audio with the video first; the audio is registered by a reaction. */
const registerWithVideo = (
  app: Uses<'audios' | 'perform' | 'videos'>,
  request: RequestContext,
  { audio_id, owner_id, title, kind, deal_persons }: RegisterAudio,
  video_id: VideoId,
): TE.TaskEither<Refusal, void> =>
  pipe(
    app.audios.load(audio_id),
    TE.chainW(({ state }): TE.TaskEither<Refusal, void> => {
      if (state._tag === 'Erased') return TE.left(refusalOf(state));
      return state._tag === 'Registered' && request.write?.taken_over !== true
        ? TE.left({ _tag: 'AudioExists' as const, audio_id })
        : TE.right(undefined);
    }),
    TE.chainW(() => ownVideo(app, request, video_id)),
    TE.chainW(() =>
      pipe(
        app.perform(anyRevision(request), 'videos', video_id, {
          type: 'AssociateAudio',
          audio_id,
          owner_id,
          title,
          kind,
          deal_persons,
        }),
        narrowRefusal(isVideoRefusalOf('AssociateAudio')),
      ),
    ),
    TE.chainW(() => app.audios.load(audio_id)),
    TE.chainW(({ state }) =>
      state._tag === 'Registered' && state.video_id === video_id
        ? TE.right(undefined)
        : TE.left({ _tag: 'AudioExists' as const, audio_id }),
    ),
  );

/** POST /v2/audios. `video_id`, if given, must be a video of the caller without an audio. */
export const registerAudio = (
  app: Uses<'audios' | 'perform' | 'videos'>,
  request: RequestContext,
  command: RegisterAudio,
): TE.TaskEither<Refusal, void> =>
  command.video_id === null
    ? pipe(
        app.perform(anyRevision(request), 'audios', command.audio_id, command),
        narrowRefusal(isAudioRefusalOf('RegisterAudio')),
        TE.map(() => undefined),
      )
    : registerWithVideo(app, request, command, command.video_id);
