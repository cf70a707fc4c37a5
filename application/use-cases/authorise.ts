import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { Permission } from '../../domain/access/contract.js';
import type { AccountId, AudioId, VideoId } from '../../domain/kernel/ids.js';
import type { RegisteredAudio } from '../../domain/audio/state.js';
import type { RegisteredVideo } from '../../domain/video/state.js';
import type { Application } from '../application.js';
import type { Failure } from '../failures.js';
import type { Caller } from '../request-context.js';

/** The caller is known, but this is not theirs (specification, section 5). */
export interface NotAuthorised {
  readonly _tag: 'NotAuthorised';
  /** The permission that a key would need; null where none would do. */
  readonly permission: Permission | null;
}

interface UnknownVideo {
  readonly _tag: 'UnknownVideo';
}
interface UnknownAudio {
  readonly _tag: 'UnknownAudio';
}
interface UnknownAccount {
  readonly _tag: 'UnknownAccount';
}

export type Access = 'owner' | 'owner_or_media_write' | 'owner_or_worker' | 'owner_or_worker_or_media_write' | 'worker';

const permissionFor: Readonly<Record<Access, Permission | null>> = {
  owner: null,
  owner_or_media_write: 'MEDIA_WRITE',
  owner_or_worker: 'WORKER',
  owner_or_worker_or_media_write: 'MEDIA_WRITE',
  worker: 'WORKER',
};

const mayAccess = (caller: Caller, owner_id: string, access: Access): boolean => {
  if (caller.admin) return true;
  switch (access) {
    case 'owner':
      return caller.account_id === owner_id;
    case 'owner_or_media_write':
      return caller.account_id === owner_id || caller.permissions.has('MEDIA_WRITE');
    case 'owner_or_worker':
      return caller.account_id === owner_id || caller.permissions.has('WORKER');
    case 'owner_or_worker_or_media_write':
      return (
        caller.account_id === owner_id || caller.permissions.has('WORKER') || caller.permissions.has('MEDIA_WRITE')
      );
    case 'worker':
      return caller.permissions.has('WORKER');
  }
};

const check = <Unknown, Owned extends { readonly owner_id: string }>(
  caller: Caller,
  access: Access,
  owned: Owned,
): TE.TaskEither<Unknown | NotAuthorised, Owned> =>
  mayAccess(caller, owned.owner_id, access)
    ? TE.right(owned)
    : TE.left({ _tag: 'NotAuthorised', permission: permissionFor[access] });

/** The video, if there is one and the caller may do this with it. */
export const authoriseVideo = (
  app: Application,
  caller: Caller,
  video_id: VideoId,
  access: Access,
): TE.TaskEither<UnknownVideo | NotAuthorised | Failure, RegisteredVideo> =>
  pipe(
    app.videos.load(video_id),
    TE.chainW(({ state }) =>
      state._tag === 'Registered'
        ? check<UnknownVideo, RegisteredVideo>(caller, access, state)
        : TE.left<UnknownVideo>({ _tag: 'UnknownVideo' }),
    ),
  );

/** The audio, if there is one and the caller may do this with it. */
export const authoriseAudio = (
  app: Application,
  caller: Caller,
  audio_id: AudioId,
  access: Access,
): TE.TaskEither<UnknownAudio | NotAuthorised | Failure, RegisteredAudio> =>
  pipe(
    app.audios.load(audio_id),
    TE.chainW(({ state }) =>
      state._tag === 'Registered'
        ? check<UnknownAudio, RegisteredAudio>(caller, access, state)
        : TE.left<UnknownAudio>({ _tag: 'UnknownAudio' }),
    ),
  );

/** The account's id, if there is such an account and the caller may do this with it. */
export const authoriseAccount = (
  app: Application,
  caller: Caller,
  account_id: AccountId,
  access: 'owner' | 'admin',
): TE.TaskEither<UnknownAccount | NotAuthorised | Failure, AccountId> =>
  pipe(
    app.accounts.load(account_id),
    TE.chainW(({ state }): TE.TaskEither<UnknownAccount | NotAuthorised, AccountId> => {
      if (state._tag === 'Unopened') return TE.left({ _tag: 'UnknownAccount' });
      const isOwn = access === 'owner' && caller.account_id === account_id;
      return caller.admin || isOwn ? TE.right(account_id) : TE.left({ _tag: 'NotAuthorised', permission: null });
    }),
  );
