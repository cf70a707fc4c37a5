import type { Tagged } from '../../../domain/kernel/decider.js';
import * as E from 'fp-ts/lib/Either.js';
import type { AudioState } from '../../../domain/audio/state.js';
import type { VideoState } from '../../../domain/video/state.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { constVoid, pipe } from 'fp-ts/lib/function.js';
import type { RegisterVideo, VideoRefusalOf } from '../../../domain/video/contract.js';
import type { AudioRefusalOf, RegisterAudio } from '../../../domain/audio/contract.js';
import type { Failure, RevisionChanged } from '../../failures.js';
import { type MediumErased, refusalOf } from '../../../domain/kernel/erased.js';
import type { VideoId, AudioId } from '../../../domain/kernel/ids.js';
import type { Uses } from '../../application.js';
import { type Caller, type RequestContext, anyRevision } from '../../commands/context.js';

/** `video_id` is not a video of the caller. */
export type UnavailableVideo = Tagged<'UnavailableVideo', { video_id: VideoId }>;

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

/** How a new record is linked with one that there is. */
interface Linking<Exists, Unavailable, Refused> {
  readonly added: TE.TaskEither<Failure, Medium>;
  readonly exists: Exists;
  readonly known: TE.TaskEither<Failure, Medium>;
  readonly unavailable: Unavailable;
  readonly link: TE.TaskEither<Refused, unknown>;
  readonly isLinked: (added: Medium['state']) => boolean;
}

/** Links the known record first, which decides what it is linked with; the new one is registered by a reaction. */
const registerLinked = <Exists, Unavailable, Refused>(
  request: RequestContext,
  { added, exists, known, unavailable, link, isLinked }: Linking<Exists, Unavailable, Refused>,
): TE.TaskEither<Exists | Unavailable | Refused | Failure, void> =>
  pipe(
    added,
    TE.chainEitherKW(free(request, exists)),
    TE.chainW(() => known),
    TE.chainEitherKW(own(request, unavailable)),
    TE.chainW(() => link),
    TE.chainW(() => added),
    TE.chainW(({ state }) => (isLinked(state) ? TE.right(undefined) : TE.left(exists))),
  );

/** POST /v2/audios. `video_id`, if given, must be a video of the caller without an audio. */
export const registerAudio = (
  app: Uses<'audios' | 'perform' | 'videos'>,
  request: RequestContext,
  command: RegisterAudio,
): TE.TaskEither<
  AudioRefusalOf<'RegisterAudio'> | VideoRefusalOf<'AssociateAudio'> | UnavailableVideo | RevisionChanged | Failure,
  void
> => {
  const { type: _type, video_id, ...audio } = command;
  const { audio_id } = audio;
  return video_id === null
    ? pipe(app.perform(anyRevision(request), 'audios', audio_id, command), TE.map(constVoid))
    : registerLinked(request, {
        added: app.audios.load(audio_id),
        exists: { _tag: 'AudioExists' as const, audio_id },
        known: app.videos.load(video_id),
        unavailable: { _tag: 'UnavailableVideo' as const, video_id },
        link: app.perform(anyRevision(request), 'videos', video_id, { type: 'AssociateAudio', ...audio }),
        isLinked: (state) => state._tag === 'Registered' && 'video_id' in state && state.video_id === video_id,
      });
};

/** `audio_id` names no audio of the caller's. */
export type UnavailableAudio = Tagged<'UnavailableAudio', { audio_id: AudioId }>;

/** POST /v2/videos. `audio_id`, when given, must name an audio of the caller's that has no parent. */
export const registerVideo = (
  app: Uses<'audios' | 'perform' | 'videos'>,
  request: RequestContext,
  command: RegisterVideo,
): TE.TaskEither<
  VideoRefusalOf<'RegisterVideo'> | AudioRefusalOf<'AttachAudio'> | UnavailableAudio | RevisionChanged | Failure,
  void
> => {
  const { type: _type, audio_id, ...video } = command;
  const { video_id } = video;
  return audio_id === null
    ? pipe(app.perform(anyRevision(request), 'videos', video_id, command), TE.map(constVoid))
    : registerLinked(request, {
        added: app.videos.load(video_id),
        exists: { _tag: 'VideoExists' as const, video_id },
        known: app.audios.load(audio_id),
        unavailable: { _tag: 'UnavailableAudio' as const, audio_id },
        link: app.perform(anyRevision(request), 'audios', audio_id, { type: 'AttachAudio', ...video }),
        isLinked: (state) => state._tag === 'Registered' && 'audio_id' in state && state.audio_id === audio_id,
      });
};

/**
 * Refuses a registration that names (`own`) or links an erased medium: an id is never given out again. That another
 * account's medium was erased is not told: it cannot be linked either way.
 */
export const unlessErased = (
  app: Uses<'audios' | 'videos'>,
  caller: Caller,
  own: 'video_id' | 'audio_id',
  { video_id, audio_id }: { readonly video_id?: VideoId | null; readonly audio_id?: AudioId | null },
): TE.TaskEither<Failure, void> => {
  const check =
    (name: typeof own) =>
    ({ state }: Medium): E.Either<Failure, void> =>
      state._tag === 'Erased' && (name === own || caller.admin || state.owner_id === caller.account_id)
        ? E.left(refusalOf(state))
        : E.right(undefined);
  const nothing = TE.right<Failure, void>(undefined);
  return pipe(
    video_id ? pipe(app.videos.load(video_id), TE.chainEitherK(check('video_id'))) : nothing,
    TE.chain(() => (audio_id ? pipe(app.audios.load(audio_id), TE.chainEitherK(check('audio_id'))) : nothing)),
  );
};
