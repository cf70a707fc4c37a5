import type { Tagged } from '../../../domain/kernel/decider.js';
import * as E from 'fp-ts/lib/Either.js';
import * as T from 'fp-ts/lib/Task.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { AudioRefusalOf } from '../../../domain/audio/contract.js';
import { partOfAudio } from '../../../domain/audio/revert-change.js';
import type { RegisteredAudio } from '../../../domain/audio/state.js';
import { type RecordFields, type RenumberedSince, fieldsOf } from '../../../domain/kernel/edit.js';
import type { AudioChanges } from '../../../domain/audio/changes.js';
import type { AudioEvent } from '../../../domain/audio/events.js';
import { type VideoEdits, changeOfEdit, faceFields, isEdited } from '../../../domain/video/changes.js';
import type { VideoEvent } from '../../../domain/video/events.js';
import { type AudioId, type VideoId, InstanceId } from '../../../domain/kernel/ids.js';
import type { SpeakersNotFollowed, VideoRefusalOf } from '../../../domain/video/contract.js';
import { partOfVideo } from '../../../domain/video/decisions/revert-change.js';
import type { RegisteredVideo } from '../../../domain/video/state.js';
import type { Application, Uses } from '../../application.js';
import { type RequestContext, newId } from '../../commands/context.js';
import type { Folded } from '../../commands/handle-command.js';
import { type Failure, type RevisionChanged, isFailure } from '../../failures.js';
import { type ClaimedWrite, writeKey } from '../../idempotency/write-key.js';
import { factsOf, whenFollowed } from '../videos/change-video.js';
import type { FoundChange } from './find-change.js';

/** The fields that a revert restored, and those that it left alone. */
export interface Reverted {
  readonly reverted: ReadonlyArray<RecordFields>;
  readonly changed_since: ReadonlyArray<RecordFields>;
}

const present = (fields: Readonly<Record<string, unknown>>): ReadonlyArray<string> =>
  Object.entries(fields).flatMap(([field, edit]) => (edit === null ? [] : [field]));

const ofVideo = (id: string, { faces, ruled_out, tags, title, media_url }: VideoEdits): ReadonlyArray<RecordFields> => [
  ...faces.map(changeOfEdit).flatMap((face) =>
    fieldsOf(
      'face',
      face.face_id,
      faceFields.filter((field) => isEdited(face, field)),
    ),
  ),
  // Each speaker once, even if several pairs with it were decided.
  ...[...new Set(ruled_out.map(({ speaker_id }) => speaker_id))].flatMap((speaker_id) =>
    fieldsOf('speaker', speaker_id, ['decision']),
  ),
  ...tags.flatMap(({ key }) => fieldsOf('tag', key, ['value'])),
  ...fieldsOf('video', id, present({ title, media_url })),
];

const ofAudio = (id: string, { speakers, title }: AudioChanges): ReadonlyArray<RecordFields> => [
  ...speakers.flatMap(({ speaker_id, ...edits }) => fieldsOf('speaker', speaker_id, present(edits))),
  ...fieldsOf('audio', id, present({ title })),
];

/** The result of a revert, from its event: fields of this record and of the linked one. */
const revertedBy = ([event]: ReadonlyArray<VideoEvent | AudioEvent>, id: string): Reverted => {
  if (event?.type === 'VideoChangeReverted') {
    const { audio, changed_since } = event.data;
    const there = audio === null ? [] : ofAudio(audio.audio_id, audio.changes);
    return { reverted: [...ofVideo(id, event.data), ...there], changed_since };
  }
  if (event?.type === 'AudioChangeReverted') {
    const { video, changed_since } = event.data;
    const there = video === null ? [] : ofVideo(video.video_id, video.changes);
    return { reverted: [...ofAudio(id, event.data), ...there], changed_since };
  }
  return { reverted: [], changed_since: [] };
};

const pause = T.delay(50)(T.of(undefined));

/**
 * A lock over all instances: one request at a time may undo a change of two records. A request at each record would be
 * decided on a different stream, so the stream of an idempotency key holds the lock. It expires half a minute after a crash.
 */
const oneAtATime = <Refusal, Done>(
  app: Uses<'clock' | 'idempotencyKeys' | 'ids' | 'log' | 'store' | 'videos'>,
  request: RequestContext,
  change_id: string,
  work: TE.TaskEither<Refusal, Done>,
): TE.TaskEither<Refusal | Failure, Done> => {
  const worker = { instance_id: newId(app.ids, InstanceId), process_id: app.ids.random() };
  // With ids of its own: a repetition of the request takes its turn again.
  const { write: _write, ...own } = request;
  // All callers share the lock. An account's id has no line break, so that no client's key is the same.
  const lock = writeKey(app, worker, own, `undo\n${change_id}`, 'undo', null);
  const claim = (): TE.TaskEither<Failure, ClaimedWrite> =>
    pipe(
      lock.claim(undefined),
      TE.orElse((refusal) => (isFailure(refusal) ? TE.left(refusal) : pipe(TE.fromTask(pause), TE.chain(claim)))),
    );
  return TE.bracket<Refusal | Failure, ClaimedWrite, Done>(
    claim(),
    () => work,
    (claimed) => TE.fromTask(lock.release(claimed, false)),
  );
};

/** Changes of this kind cannot be undone. */
export type NotRevertible = Tagged<
  'NotRevertible',
  { reason: NonNullable<FoundChange['irreversible']> | RenumberedSince['reason'] }
>;

export type UndoRefusal =
  | Exclude<VideoRefusalOf<'RevertVideoChange'>, SpeakersNotFollowed>
  | AudioRefusalOf<'RevertAudioChange'>
  | NotRevertible
  | RevisionChanged
  | Failure;

interface Records {
  readonly video: Folded<RegisteredVideo> | null;
  readonly audio: Folded<RegisteredAudio> | null;
}

/** A folded record, if it is registered. */
const registered =
  <Registered extends { readonly _tag: 'Registered' }>(
    load: (id: string) => TE.TaskEither<Failure, Folded<Registered | { readonly _tag: 'Unregistered' | 'Erased' }>>,
  ) =>
  (id: string | null): TE.TaskEither<Failure, Folded<Registered> | null> =>
    id === null
      ? TE.right(null)
      : pipe(
          load(id),
          TE.map(({ state, revision }) => (state._tag === 'Registered' ? { state, revision } : null)),
        );

/** A video and its audio, or an audio and its parent. */
const recordsOf = (
  app: Uses<'audios' | 'videos'>,
  video_id: VideoId | null,
  audio_id: AudioId | null,
): TE.TaskEither<Failure, Records> =>
  pipe(
    TE.Do,
    TE.bind('video', () => registered<RegisteredVideo>(app.videos.load)(video_id)),
    TE.bind('audio', ({ video }) =>
      registered<RegisteredAudio>(app.audios.load)(audio_id ?? video?.state.audio_id ?? null),
    ),
  );

/** Undoes a change, if it can be undone; one of both records is undone by one request at a time. */
const undone = (
  app: Application,
  request: RequestContext,
  { irreversible: reason, change_id, streams }: FoundChange,
  dry_run: boolean,
  work: TE.TaskEither<UndoRefusal, Reverted>,
): TE.TaskEither<UndoRefusal, Reverted> => {
  if (reason !== null) return TE.left({ _tag: 'NotRevertible', reason });
  return dry_run || streams.size < 2 ? work : oneAtATime(app, request, change_id, work);
};

/** What a command says of a change besides what it did. */
const asked = ({ position, change_id }: FoundChange, { at }: RequestContext) => ({
  position,
  change_id,
  cause: { kind: 'request' as const },
  at,
});

const noPart = E.right({ other: null, changed_since: [] });

/** POST /v2/videos/{video_id}/history/{position}/revert (contract, Undo). `dry_run`: returns the same and writes nothing. */
export const revertVideoChange = (
  app: Application,
  request: RequestContext,
  video_id: VideoId,
  change: FoundChange,
  dry_run: boolean,
): TE.TaskEither<UndoRefusal, Reverted> => {
  const decided = pipe(
    recordsOf(app, video_id, null),
    TE.bindW('part', ({ audio }) =>
      TE.fromEither(audio === null ? noPart : partOfAudio(audio.state, audio.revision, change.audio)),
    ),
    TE.chainW(({ audio, part }) => {
      const made = { ...asked(change, request), ...change.video, ...part };
      const command = { type: 'RevertVideoChange' as const, ...made, audio: audio && factsOf(audio.state) };
      return app.eventsOf(request, 'videos', video_id, command, dry_run);
    }),
  );
  const work = pipe(
    whenFollowed(app, request, video_id, decided),
    TE.map((events) => revertedBy(events, video_id)),
  );
  return undone(app, request, change, dry_run, work);
};

/** POST /v2/audios/{audio_id}/history/{position}/revert (contract, Undo). */
export const revertAudioChange = (
  app: Application,
  request: RequestContext,
  { audio_id, video_id }: { readonly audio_id: AudioId; readonly video_id: VideoId | null },
  change: FoundChange,
  dry_run: boolean,
): TE.TaskEither<UndoRefusal, Reverted> => {
  const work = pipe(
    recordsOf(app, video_id, audio_id),
    TE.chainEitherKW(({ video, audio }) => {
      const made = { ...change.video, audio: audio && factsOf(audio.state) };
      return video === null ? noPart : partOfVideo(video.state, video.revision, made);
    }),
    TE.chainW((part) => {
      const made = { ...asked(change, request), ...change.audio, ...part };
      const command = { type: 'RevertAudioChange' as const, ...made };
      return app.eventsOf(request, 'audios', audio_id, command, dry_run);
    }),
    TE.map((events) => revertedBy(events, audio_id)),
  );
  return undone(app, request, change, dry_run, work);
};
