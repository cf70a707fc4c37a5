import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { constVoid, pipe } from 'fp-ts/lib/function.js';
import { LRUCache } from 'lru-cache';
import type { Failure } from '../../application/failures.js';
import type { EventStore, StoreUnavailable } from '../../application/ports/event-store.js';
import { type Access, authoriseAccount, authoriseAudio, authoriseVideo } from '../../application/queries/authorise.js';
import { AccountId, AudioId, VideoId } from '../../domain/kernel/ids.js';
import type { AudioState, RegisteredAudio } from '../../domain/audio/state.js';
import { refusalOf } from '../../domain/kernel/erased.js';
import type { RegisteredVideo, VideoState } from '../../domain/video/state.js';
import type { Position } from '../../domain/kernel/recorded-event.js';
import type { InvalidCursor, Queries, ReadModelBehind, ReadModelsUnavailable } from '../../projections/queries.js';
import type { Finder, RefusalTag, IncomingRequest, AllowedCaller, Refusable, Service } from './endpoint.js';

/** More than are revoked until the read models include them. */
const maxRevoked = 10_000;

/** How long to wait for the read models, in milliseconds. */
const timeoutMs = 2_000;

/** Ensures that answers are not older than what this instance has acknowledged. */
export interface Freshness {
  /** Waits until the read models include everything written before this process started: until then no key is known. */
  readonly started: () => TE.TaskEither<ReadModelBehind | StoreUnavailable, void>;
  readonly wrote: (position: Position) => void;
  /** Keys that this instance has revoked lately: the read models may not include that yet. */
  readonly revoked: LRUCache<string, true>;
  /** Waits for everything that any instance has written until now. */
  readonly upToHead: TE.TaskEither<ReadModelBehind | StoreUnavailable, void>;
  /** Waits for everything written by this instance, and for a position that a client requires. */
  readonly upTo: (wanted: Position | null) => TE.TaskEither<ReadModelBehind, void>;
}

/**
 * Remembers the newest position written, and waits until the read models reach it. The position of the log at the start of
 * the process is requested from the store until it answers.
 */
export const freshness = (queries: Queries, { head }: Pick<EventStore, 'head'>): Freshness => {
  let newest: Position | null = null;
  let startedAt: Position | null | undefined;
  const wrote = (position: Position): void => {
    if (newest === null || position > newest) newest = position;
  };
  const reached = (position: Position | null): TE.TaskEither<ReadModelBehind, void> =>
    position === null ? TE.right(undefined) : queries.reached(position, timeoutMs);
  return {
    started: () =>
      startedAt !== undefined
        ? reached(startedAt)
        : pipe(
            head(),
            TE.chainW((position) => {
              startedAt ??= position;
              if (position !== null) wrote(position);
              return reached(startedAt);
            }),
          ),
    wrote,
    revoked: new LRUCache({ max: maxRevoked }),
    upToHead: pipe(head(), TE.chainW(reached)),
    upTo: (wanted) => reached(wanted === null || (newest !== null && newest > wanted) ? newest : wanted),
  };
};

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
export const evenErased = <Tag extends RefusalTag>({
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

/** Accepts admin keys only. */
export const adminOnly: Finder<void, 'NotAuthorised'> = {
  access: ['admin'],
  refuses: ['NotAuthorised'],
  find: ({ request }) =>
    request.caller.admin ? TE.right(undefined) : TE.left({ _tag: 'NotAuthorised', needs: 'admin' }),
};

/** Why the read models give no current answer. */
export type NotCurrent = ReadModelBehind | ReadModelsUnavailable;
/** Why they give no current list. */
export type NotListed = InvalidCursor | NotCurrent;

/** The result of a query, once the read models include everything that this instance has acknowledged. */
export const queryUpToDate = <Refused, Result>(
  { upToDate }: Service,
  question: () => TE.TaskEither<Refused, Result>,
): TE.TaskEither<Refused | ReadModelBehind, Result> => pipe(upToDate(), TE.chainW(question));
