import type { Permission } from '../../domain/access/contract.js';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { constVoid, pipe } from 'fp-ts/lib/function.js';
import type { Failure } from '../../application/failures.js';
import { type Access, authoriseAccount, authoriseAudio, authoriseVideo } from '../../application/queries/authorise.js';
import type { AudioState, RegisteredAudio } from '../../domain/audio/state.js';
import { refusalOf } from '../../domain/kernel/erased.js';
import { AccountId, AudioId, VideoId } from '../../domain/kernel/ids.js';
import type { RegisteredVideo, VideoState } from '../../domain/video/state.js';
import type { Finder, RefusalTag, IncomingRequest, AllowedCaller, Refusable } from './endpoint.js';

/** Who may pass each access check of a record. */
const permitted: Readonly<Record<Access, ReadonlyArray<AllowedCaller>>> = {
  owner: ['owner', 'admin'],
  owner_or_media_write: ['owner', 'admin', 'MEDIA_WRITE'],
  owner_or_worker: ['owner', 'admin', 'WORKER'],
  owner_or_worker_or_media_write: ['owner', 'admin', 'WORKER', 'MEDIA_WRITE'],
  worker: ['admin', 'WORKER'],
};

/** The current revision of a record. */
export const revision = (
  { load }: { readonly load: (id: string) => TE.TaskEither<Failure, { readonly revision: number }> },
  id: string,
): TE.TaskEither<Failure, number> =>
  pipe(
    load(id),
    TE.map((found) => found.revision),
  );

/** A finder for requests that write to a record with this revision. */
export const writingTo = <Found, Tag extends RefusalTag>(
  finder: Finder<Found, Tag>,
  revisionOf: Finder<Found, Tag>['revisionOf'] & {},
): Finder<Found, Tag> => ({ ...finder, revisionOf });

interface NamedMedia {
  readonly video_id?: VideoId | null | undefined;
  readonly audio_id?: AudioId | null | undefined;
}

/**
 * Refuses a registration that names or links an erased medium: an id is never given out again. That another account's
 * medium was erased is not told: it cannot be linked either way.
 */
export const unlessErased =
  (own: keyof NamedMedia) =>
  (
    { service: { app }, request: { caller } }: IncomingRequest,
    { video_id, audio_id }: NamedMedia,
  ): TE.TaskEither<Failure, void> => {
    const check =
      (name: keyof NamedMedia) =>
      ({ state }: { readonly state: VideoState | AudioState }): E.Either<Failure, void> =>
        state._tag === 'Erased' && (name === own || caller.admin || state.owner_id === caller.account_id)
          ? E.left(refusalOf(state))
          : E.right(undefined);
    const nothing = TE.right<Failure, void>(undefined);
    return pipe(
      video_id ? pipe(app.videos.load(video_id), TE.chainEitherK(check('video_id'))) : nothing,
      TE.chain(() => (audio_id ? pipe(app.audios.load(audio_id), TE.chainEitherK(check('audio_id'))) : nothing)),
    );
  };

type Finding<Found, Unknown extends RefusalTag> = Finder<Found, Unknown | 'NotAuthorised'>;

/** Finds the video in the path, if the caller has access. */
export const video = (access: Access): Finding<RegisteredVideo, 'UnknownVideo'> => ({
  access: permitted[access],
  refuses: ['UnknownVideo', 'NotAuthorised'],
  find: ({ service: { app }, params: { video_id }, request: { caller } }) =>
    VideoId.is(video_id) ? authoriseVideo(app, caller, video_id, access) : TE.left({ _tag: 'UnknownVideo' }),
  revisionOf: ({ video_id }, { app }) => revision(app.videos, video_id),
});

/** Finds the audio in the path, if the caller has access. */
export const audio = (access: Access): Finding<RegisteredAudio, 'UnknownAudio'> => ({
  access: permitted[access],
  refuses: ['UnknownAudio', 'NotAuthorised'],
  find: ({ service: { app }, params: { audio_id }, request: { caller } }) =>
    AudioId.is(audio_id) ? authoriseAudio(app, caller, audio_id, access) : TE.left({ _tag: 'UnknownAudio' }),
  revisionOf: ({ audio_id }, { app }) => revision(app.audios, audio_id),
});

/** A finder that also looks up something within the record, which `tag` refuses. */
export const within = <Found, More, Tag extends RefusalTag>(
  { access, refuses, find, revisionOf }: Finder<Found, Tag>,
  tag: Tag,
  findMore: (visit: IncomingRequest, found: Found) => TE.TaskEither<Refusable<Tag>, More>,
): Finder<Found & More, Tag> => ({
  access,
  refuses: [...refuses, tag],
  find: (visit) =>
    pipe(
      find(visit),
      TE.chain((found) =>
        pipe(
          findMore(visit, found),
          TE.map((more) => ({ ...found, ...more })),
        ),
      ),
    ),
  ...(revisionOf === undefined ? {} : { revisionOf }),
});

/** Also accepts an erased record, if the caller had access to it. */
export const includingErased = <Tag extends RefusalTag>({
  access,
  refuses,
  find,
}: Omit<Finder<unknown, Tag>, 'revisionOf'>): Finder<void, Tag> => ({
  access,
  refuses,
  find: (visit) =>
    pipe(
      find(visit),
      TE.map(constVoid),
      TE.orElse((refusal) => (refusal._tag === 'MediumErased' ? TE.right(undefined) : TE.left(refusal))),
    ),
});

/** Finds the account in the path, if the caller has access. */
export const account = (access: 'owner' | 'admin'): Finding<AccountId, 'UnknownAccount'> => ({
  access: access === 'owner' ? ['owner', 'admin'] : ['admin'],
  refuses: ['UnknownAccount', 'NotAuthorised'],
  find: ({ service: { app }, params: { account_id }, request: { caller } }) =>
    AccountId.is(account_id) ? authoriseAccount(app, caller, account_id, access) : TE.left({ _tag: 'UnknownAccount' }),
});

/** Accepts every caller with an API key. */
export const anyone: Finder<void, never> = { access: ['any_key'], refuses: [], find: () => TE.right(undefined) };

const holding = (needs: 'admin' | Permission): Finder<void, 'NotAuthorised'> => ({
  access: needs === 'admin' ? ['admin'] : ['admin', needs],
  refuses: ['NotAuthorised'],
  find: ({ request: { caller } }) =>
    caller.admin || (needs !== 'admin' && caller.permissions.has(needs))
      ? TE.right(undefined)
      : TE.left({ _tag: 'NotAuthorised', needs }),
});

/** Accepts admin keys only. */
export const adminOnly = holding('admin');
/** Accepts keys with the permission `WORKER`, and admin keys. */
export const workers = holding('WORKER');
