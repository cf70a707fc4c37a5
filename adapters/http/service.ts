import * as TE from 'fp-ts/lib/TaskEither.js';
import { constVoid, pipe } from 'fp-ts/lib/function.js';
import type { Application } from '../../application/application.js';
import type { EventStore, StoreUnavailable } from '../../application/ports/event-store.js';
import {
  type Access,
  authoriseAccount,
  authoriseAudio,
  authoriseAudioId,
  authoriseVideo,
  authoriseVideoId,
} from '../../application/queries/authorise.js';
import { AccountId, AudioId, type KeyId, VideoId } from '../../domain/kernel/ids.js';
import type { RegisteredAudio } from '../../domain/audio/state.js';
import type { RegisteredVideo } from '../../domain/video/state.js';
import type { Position } from '../../domain/kernel/recorded-event.js';
import type { Queries, ReadModelBehind } from '../../projections/queries.js';
import type { RefusalTag, Who } from './declared.js';
import type { Finder } from './endpoint.js';

/** What the routes work with. */
export interface Service {
  readonly app: Application;
  readonly queries: Queries;
  /** Waits until the read models show everything that this instance acknowledged. */
  readonly upToDate: () => TE.TaskEither<ReadModelBehind, void>;
  /** Told of a key whose revocation is durable. */
  readonly keyRevoked: (key_id: KeyId) => void;
}

const patience = 2_000;

/** Keeps answers from being older than what this instance acknowledged. */
export interface Freshness {
  /** Waits until the read models show what was written before this start: until then no key is known. */
  readonly started: () => TE.TaskEither<ReadModelBehind | StoreUnavailable, void>;
  readonly wrote: (position: Position) => void;
  /** Keys that this instance has revoked since its start: the read models may not show that yet. */
  readonly revoked: Set<string>;
  /** Waits for all that any instance has written until now. */
  readonly upToHead: TE.TaskEither<ReadModelBehind | StoreUnavailable, void>;
  /** Waits for all that was written, and for a position that a client asked for. */
  readonly upTo: (wanted: Position | null) => TE.TaskEither<ReadModelBehind, void>;
}

/**
 * Remembers the newest position that was written, and waits for read models to reach it. What the log held at the
 * start is asked of the store until it answers.
 */
export const freshness = (queries: Queries, { head }: Pick<EventStore, 'head'>): Freshness => {
  let newest: Position | null = null;
  let startedAt: Position | null | undefined;
  const wrote = (position: Position): void => {
    if (newest === null || position > newest) newest = position;
  };
  const reached = (position: Position | null): TE.TaskEither<ReadModelBehind, void> =>
    position === null ? TE.right(undefined) : queries.reached(position, patience);
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
    revoked: new Set(),
    upToHead: pipe(head(), TE.chainW(reached)),
    upTo: (wanted) => reached(wanted === null || (newest !== null && newest > wanted) ? newest : wanted),
  };
};

/** Who passes a check of access to a record. */
const passes: Readonly<Record<Access, ReadonlyArray<Who>>> = {
  owner: ['owner', 'admin'],
  owner_or_media_write: ['owner', 'admin', 'MEDIA_WRITE'],
  owner_or_worker: ['owner', 'admin', 'WORKER'],
  owner_or_worker_or_media_write: ['owner', 'admin', 'WORKER', 'MEDIA_WRITE'],
  worker: ['admin', 'WORKER'],
};

type Finding<Found, Unknown extends RefusalTag> = Finder<Found, Unknown | 'NotAuthorised'>;

/** The video of the path, when it exists and the caller may do this with it. */
export const video = ({ app }: Service, access: Access): Finding<RegisteredVideo, 'UnknownVideo'> => ({
  access: passes[access],
  refuses: ['UnknownVideo', 'NotAuthorised'],
  find: ({ params: { video_id }, request }) =>
    VideoId.is(video_id) ? authoriseVideo(app, request.caller, video_id, access) : TE.left({ _tag: 'UnknownVideo' }),
});

/** The id of the path's video, when there is such a video and the caller may do this with it. */
export const videoId = (
  { app }: Service,
  access: Access,
): Finding<Pick<RegisteredVideo, 'video_id'>, 'UnknownVideo'> => ({
  access: passes[access],
  refuses: ['UnknownVideo', 'NotAuthorised'],
  find: ({ params: { video_id }, request }) =>
    VideoId.is(video_id) ? authoriseVideoId(app, request.caller, video_id, access) : TE.left({ _tag: 'UnknownVideo' }),
});

/** The id of the path's audio, when there is such an audio and the caller may do this with it. */
export const audioId = (
  { app }: Service,
  access: Access,
): Finding<Pick<RegisteredAudio, 'audio_id'>, 'UnknownAudio'> => ({
  access: passes[access],
  refuses: ['UnknownAudio', 'NotAuthorised'],
  find: ({ params: { audio_id }, request }) =>
    AudioId.is(audio_id) ? authoriseAudioId(app, request.caller, audio_id, access) : TE.left({ _tag: 'UnknownAudio' }),
});

/** The same of what was erased: whoever might have read it learns that it was there. */
export const evenErased = <Tag extends RefusalTag>({ find, ...finder }: Finder<unknown, Tag>): Finder<void, Tag> => ({
  ...finder,
  find: (visit) =>
    pipe(
      find(visit),
      TE.map(constVoid),
      TE.orElse((refusal) => (refusal._tag === 'MediumErased' ? TE.right(undefined) : TE.left(refusal))),
    ),
});

/** The audio of the path, when it exists and the caller may do this with it. */
export const audio = ({ app }: Service, access: Access): Finding<RegisteredAudio, 'UnknownAudio'> => ({
  access: passes[access],
  refuses: ['UnknownAudio', 'NotAuthorised'],
  find: ({ params: { audio_id }, request }) =>
    AudioId.is(audio_id) ? authoriseAudio(app, request.caller, audio_id, access) : TE.left({ _tag: 'UnknownAudio' }),
});

/** The account of the path, when it exists and the caller may do this with it. */
export const account = ({ app }: Service, access: 'owner' | 'admin'): Finding<AccountId, 'UnknownAccount'> => ({
  access: access === 'owner' ? ['owner', 'admin'] : ['admin'],
  refuses: ['UnknownAccount', 'NotAuthorised'],
  find: ({ params: { account_id }, request }) =>
    AccountId.is(account_id)
      ? authoriseAccount(app, request.caller, account_id, access)
      : TE.left({ _tag: 'UnknownAccount' }),
});

/** Everybody with a key. */
export const anyone: Finder<void, never> = { access: ['any_key'], refuses: [], find: () => TE.right(undefined) };

export const adminAlone: Finder<void, 'NotAuthorised'> = {
  access: ['admin'],
  refuses: ['NotAuthorised'],
  find: ({ request }) =>
    request.caller.admin ? TE.right(undefined) : TE.left({ _tag: 'NotAuthorised', permission: null }),
};

/** What the read models say, once they show everything that this instance acknowledged. */
export const asked = <Refused, Result>(
  { upToDate }: Service,
  question: () => TE.TaskEither<Refused, Result>,
): TE.TaskEither<Refused | ReadModelBehind, Result> => pipe(upToDate(), TE.chainW(question));
