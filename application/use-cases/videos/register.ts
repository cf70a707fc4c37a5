import * as E from 'fp-ts/lib/Either.js';
import type { AudioState } from '../../../domain/audio/state.js';
import type { VideoState } from '../../../domain/video/state.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { type VideoRefusalOf, type RegisterVideo, isVideoRefusalOf } from '../../../domain/video/contract.js';
import { type AudioRefusalOf, type RegisterAudio, isAudioRefusalOf } from '../../../domain/audio/contract.js';
import { type Failure, type RevisionChanged, narrowRefusal } from '../../failures.js';
import { type MediumErased, refusalOf } from '../../../domain/kernel/erased.js';
import type { VideoId, AudioId } from '../../../domain/kernel/ids.js';
import type { Uses } from '../../application.js';
import { type RequestContext, anyRevision } from '../../commands/context.js';

/** `video_id` is not a video of the caller. */
export interface UnavailableVideo {
  readonly _tag: 'UnavailableVideo';
  readonly video_id: VideoId;
}

type AudioNotRegistered =
  | AudioRefusalOf<'RegisterAudio'>
  | VideoRefusalOf<'AssociateAudio'>
  | UnavailableVideo
  | RevisionChanged
  | Failure;

type Medium = { readonly state: VideoState | AudioState };

/** The record that is to be linked must be the caller's. */
const own =
  <Unavailable>({ caller }: RequestContext, unavailable: Unavailable) =>
  ({ state }: Medium): E.Either<Unavailable | MediumErased, void> => {
    if (state._tag === 'Unregistered' || !(caller.admin || state.owner_id === caller.account_id))
      return E.left(unavailable);
    return state._tag === 'Erased' ? E.left(refusalOf(state)) : E.right(undefined);
  };

/** The id must be free, unless an interrupted write with the same key has registered it. */
const free =
  <Exists>({ write }: RequestContext, exists: Exists) =>
  ({ state }: Medium): E.Either<Exists | MediumErased, void> => {
    if (state._tag === 'Erased') return E.left(refusalOf(state));
    return state._tag === 'Registered' && write?.taken_over !== true ? E.left(exists) : E.right(undefined);
  };

/** Associates the audio with the video first; the audio is registered by a reaction. */
const registerWithVideo = (
  app: Uses<'audios' | 'perform' | 'videos'>,
  request: RequestContext,
  { audio_id, owner_id, title, kind, deal_persons }: RegisterAudio,
  video_id: VideoId,
): TE.TaskEither<AudioNotRegistered, void> => {
  const exists = { _tag: 'AudioExists' as const, audio_id };
  const command = { type: 'AssociateAudio' as const, audio_id, owner_id, title, kind, deal_persons };
  return pipe(
    app.audios.load(audio_id),
    TE.chainEitherKW(free(request, exists)),
    TE.chainW(() => app.videos.load(video_id)),
    TE.chainEitherKW(own<UnavailableVideo>(request, { _tag: 'UnavailableVideo', video_id })),
    TE.chainW(() =>
      pipe(
        app.perform(anyRevision(request), 'videos', video_id, command),
        narrowRefusal(isVideoRefusalOf('AssociateAudio')),
      ),
    ),
    TE.chainW(() => app.audios.load(audio_id)),
    TE.chainW(({ state }) =>
      state._tag === 'Registered' && state.video_id === video_id ? TE.right(undefined) : TE.left(exists),
    ),
  );
};

/** POST /v2/audios. `video_id`, if given, must be a video of the caller without an audio. */
export const registerAudio = (
  app: Uses<'audios' | 'perform' | 'videos'>,
  request: RequestContext,
  command: RegisterAudio,
): TE.TaskEither<AudioNotRegistered, void> =>
  command.video_id === null
    ? pipe(
        app.perform(anyRevision(request), 'audios', command.audio_id, command),
        narrowRefusal(isAudioRefusalOf('RegisterAudio')),
        TE.map(() => undefined),
      )
    : registerWithVideo(app, request, command, command.video_id);

/** `audio_id` names no audio of the caller's. */
export interface UnavailableAudio {
  readonly _tag: 'UnavailableAudio';
  readonly audio_id: AudioId;
}

type VideoNotRegistered =
  | VideoRefusalOf<'RegisterVideo'>
  | AudioRefusalOf<'AttachAudio'>
  | UnavailableAudio
  | RevisionChanged
  | Failure;

/** The audio decides who its parent is; the video's registration follows from that. */
const registerWithAudio = (
  app: Uses<'audios' | 'perform' | 'videos'>,
  request: RequestContext,
  { video_id, owner_id, title, kind, media_url }: RegisterVideo,
  audio_id: AudioId,
): TE.TaskEither<VideoNotRegistered, void> => {
  const exists = { _tag: 'VideoExists' as const, video_id };
  const command = { type: 'AttachAudio' as const, video_id, owner_id, title, kind, media_url };
  return pipe(
    app.videos.load(video_id),
    TE.chainEitherKW(free(request, exists)),
    TE.chainW(() => app.audios.load(audio_id)),
    TE.chainEitherKW(own<UnavailableAudio>(request, { _tag: 'UnavailableAudio', audio_id })),
    TE.chainW(() =>
      pipe(
        app.perform(anyRevision(request), 'audios', audio_id, command),
        narrowRefusal(isAudioRefusalOf('AttachAudio')),
      ),
    ),
    TE.chainW(() => app.videos.load(video_id)),
    TE.chainW(({ state }) =>
      state._tag === 'Registered' && state.audio_id === audio_id ? TE.right(undefined) : TE.left(exists),
    ),
  );
};

/** POST /v2/videos. `audio_id`, when given, must name an audio of the caller's that has no parent. */
export const registerVideo = (
  app: Uses<'audios' | 'perform' | 'videos'>,
  request: RequestContext,
  command: RegisterVideo,
): TE.TaskEither<VideoNotRegistered, void> =>
  command.audio_id === null
    ? pipe(
        app.perform(anyRevision(request), 'videos', command.video_id, command),
        narrowRefusal(isVideoRefusalOf('RegisterVideo')),
        TE.map(() => undefined),
      )
    : registerWithAudio(app, request, command, command.audio_id);
