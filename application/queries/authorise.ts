import type { Tagged } from '../../domain/kernel/decider.js';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { Permission } from '../../domain/access/contract.js';
import { type Erased, type MediumErased, refusalOf } from '../../domain/kernel/erased.js';
import type { AccountId, AudioId, VideoId } from '../../domain/kernel/ids.js';
import type { RegisteredAudio } from '../../domain/audio/state.js';
import type { RegisteredVideo } from '../../domain/video/state.js';
import type { Uses } from '../application.js';
import type { Failure } from '../failures.js';
import type { Caller } from '../commands/context.js';

/** The caller is authenticated but may not do this (specification, section 5). */
export interface NotAuthorised {
  readonly _tag: 'NotAuthorised';
  /**
   * Who may do it. A permission only where the endpoint is made for its holders: it reaches the media of all accounts, so
   * nobody else is told to get it.
   */
  readonly needs: Permission | 'owner' | 'admin';
}

type UnknownVideo = Tagged<'UnknownVideo'>;
type UnknownAudio = Tagged<'UnknownAudio'>;
type UnknownAccount = Tagged<'UnknownAccount'>;

export type Access = 'owner' | 'owner_or_media_write' | 'owner_or_worker' | 'owner_or_worker_or_media_write' | 'worker';

/** What is said to be needed, and the permissions whose holders have an access without being the owner. */
const rules: Readonly<Record<Access, readonly [needs: NotAuthorised['needs'], ...permitted: Permission[]]>> = {
  owner: ['owner'],
  owner_or_media_write: ['MEDIA_WRITE', 'MEDIA_WRITE'],
  owner_or_worker: ['owner', 'WORKER'],
  owner_or_worker_or_media_write: ['owner', 'WORKER', 'MEDIA_WRITE'],
  worker: ['WORKER', 'WORKER'],
};

/** The state of a video or an audio, if it exists and the caller has this access. */
const authorised =
  <Unknown>(caller: Caller, access: Access, unknown: Unknown) =>
  <Registered extends { readonly _tag: 'Registered'; readonly owner_id: string }>({
    state,
  }: {
    readonly state: Registered | Erased | { readonly _tag: 'Unregistered' };
  }): E.Either<Unknown | NotAuthorised | MediumErased, Registered> => {
    if (state._tag === 'Unregistered') return E.left(unknown);
    const [needs, ...permitted] = rules[access];
    const isOwn = access !== 'worker' && caller.account_id === state.owner_id;
    if (!caller.admin && !isOwn && !permitted.some((permission) => caller.permissions.has(permission)))
      return E.left({ _tag: 'NotAuthorised', needs });
    // Callers who would have been authorised are told that the record was erased.
    return state._tag === 'Erased' ? E.left(refusalOf(state)) : E.right(state);
  };

/** The current state of a video, if it exists and the caller has this access. */
export const authoriseVideo = (
  app: Uses<'videos'>,
  caller: Caller,
  video_id: VideoId,
  access: Access,
): TE.TaskEither<UnknownVideo | NotAuthorised | Failure, RegisteredVideo> =>
  pipe(app.videos.load(video_id), TE.chainEitherKW(authorised<UnknownVideo>(caller, access, { _tag: 'UnknownVideo' })));

/** The current state of an audio, if it exists and the caller has this access. */
export const authoriseAudio = (
  app: Uses<'audios'>,
  caller: Caller,
  audio_id: AudioId,
  access: Access,
): TE.TaskEither<UnknownAudio | NotAuthorised | Failure, RegisteredAudio> =>
  pipe(app.audios.load(audio_id), TE.chainEitherKW(authorised<UnknownAudio>(caller, access, { _tag: 'UnknownAudio' })));

/** The id of an account, if it exists and the caller has this access. */
export const authoriseAccount = (
  app: Uses<'accounts'>,
  caller: Caller,
  account_id: AccountId,
  access: 'owner' | 'admin',
): TE.TaskEither<UnknownAccount | NotAuthorised | Failure, AccountId> =>
  pipe(
    app.accounts.load(account_id),
    TE.chainW(({ state }): TE.TaskEither<UnknownAccount | NotAuthorised, AccountId> => {
      if (state._tag === 'Unopened') return TE.left({ _tag: 'UnknownAccount' });
      const isOwn = access === 'owner' && caller.account_id === account_id;
      return caller.admin || isOwn ? TE.right(account_id) : TE.left({ _tag: 'NotAuthorised', needs: access });
    }),
  );
