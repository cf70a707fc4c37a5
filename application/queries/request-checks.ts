import type { Tagged } from '../../domain/kernel/decider.js';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { LRUCache } from 'lru-cache';
import type { Permission } from '../../domain/access/contract.js';
import { type Erased, type MediumErased, refusalOf } from '../../domain/kernel/erased.js';
import type { AccountId, AudioId, VideoId } from '../../domain/kernel/ids.js';
import type { RegisteredAudio } from '../../domain/audio/state.js';
import type { RegisteredVideo } from '../../domain/video/state.js';
import type { Uses } from '../application.js';
import type { Failure } from '../failures.js';
import type { Timestamp } from '../../domain/kernel/timestamp.js';
import type { Queries, ReadModelBehind, ReadModelsUnavailable } from '../../projections/queries.js';
import type { ApiKeyView } from '../../projections/views.js';
import type { Caller } from '../commands/context.js';
import type { Clock } from '../ports/clock.js';
import type { EventStore, StoreUnavailable } from '../ports/event-store.js';
import type { Position } from '../../domain/kernel/recorded-event.js';

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

/** The caller identified by a key; null if the key is revoked or expired. */
const callerOf = (key: ApiKeyView, now: Timestamp): Caller | null =>
  key.revoked_at !== null || (key.expires_at !== null && key.expires_at <= now)
    ? null
    : {
        key_id: key.key_id,
        account_id: key.account_id,
        admin: key.admin,
        permissions: new Set(key.permissions),
        expires_at: key.expires_at,
        maker_id: key.key_id,
      };

/**
 * The caller with the key of this hash; null if there is none. An unknown key is looked up again after `upToHead`, since
 * another instance may just have issued it.
 */
export const callerWithKey = (
  { keyByHash }: Pick<Queries, 'keyByHash'>,
  { now }: Clock,
  { upToHead, revoked }: Pick<Freshness, 'upToHead' | 'revoked'>,
  hash: string,
): TE.TaskEither<ReadModelsUnavailable | ReadModelBehind | StoreUnavailable, Caller | null> =>
  pipe(
    keyByHash(hash),
    TE.chainW((known) =>
      known === null
        ? pipe(
            upToHead,
            TE.chainW(() => keyByHash(hash)),
          )
        : TE.right(known),
    ),
    TE.map((known) => (known === null || revoked.peek(known.key_id) === true ? null : callerOf(known, now()))),
  );

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

/** The permissions whose holders have an access without being the owner. */
export const permissionsFor = (access: Access): ReadonlyArray<Permission> => {
  const [, ...permitted] = rules[access];
  return permitted;
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
