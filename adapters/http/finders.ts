import type { Permission } from '../../domain/access/contract.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { constVoid, pipe } from 'fp-ts/lib/function.js';
import {
  type Access,
  authoriseAccount,
  authoriseAudio,
  authoriseVideo,
  permissionsFor,
} from '../../application/queries/request-checks.js';
import type { RegisteredAudio } from '../../domain/audio/state.js';
import { AccountId, AudioId, VideoId } from '../../domain/kernel/ids.js';
import type { RegisteredVideo } from '../../domain/video/state.js';
import type { Finder, RefusalTag, IncomingRequest, AllowedCaller, Refusable } from './endpoint.js';

/** Who may pass an access check of a record. */
const callersWith = (access: Access): ReadonlyArray<AllowedCaller> => [
  ...(access === 'worker' ? [] : (['owner'] as const)),
  'admin',
  ...permissionsFor(access),
];

type Finding<Found, Unknown extends RefusalTag> = Finder<Found, Unknown | 'NotAuthorised'>;

/** Finds the video in the path, if the caller has access. */
export const video = (access: Access): Finding<RegisteredVideo, 'UnknownVideo'> => ({
  access: callersWith(access),
  refuses: ['UnknownVideo', 'NotAuthorised'],
  find: ({ service: { app }, params: { video_id }, request: { caller } }) =>
    VideoId.is(video_id) ? authoriseVideo(app, caller, video_id, access) : TE.left({ _tag: 'UnknownVideo' }),
  recordOf: ({ video_id }, { app }) => app.videos.load(video_id),
});

/** Finds the audio in the path, if the caller has access. */
export const audio = (access: Access): Finding<RegisteredAudio, 'UnknownAudio'> => ({
  access: callersWith(access),
  refuses: ['UnknownAudio', 'NotAuthorised'],
  find: ({ service: { app }, params: { audio_id }, request: { caller } }) =>
    AudioId.is(audio_id) ? authoriseAudio(app, caller, audio_id, access) : TE.left({ _tag: 'UnknownAudio' }),
  recordOf: ({ audio_id }, { app }) => app.audios.load(audio_id),
});

/** A finder that also looks up something within the record, which `tag` refuses. */
export const within = <Found, More, Tag extends RefusalTag>(
  finder: Finder<Found, Tag>,
  tag: Tag,
  findMore: (visit: IncomingRequest, found: Found) => TE.TaskEither<Refusable<Tag>, More>,
): Finder<Found & More, Tag> => ({
  ...finder,
  refuses: [...finder.refuses, tag],
  find: (visit) =>
    pipe(
      finder.find(visit),
      TE.chain((found) =>
        pipe(
          findMore(visit, found),
          TE.map((more) => ({ ...found, ...more })),
        ),
      ),
    ),
});

/** Also accepts an erased record, if the caller had access to it. */
export const includingErased = <Tag extends RefusalTag>({
  access,
  refuses,
  find,
}: Omit<Finder<unknown, Tag>, 'recordOf'>): Finder<void, Tag> => ({
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
