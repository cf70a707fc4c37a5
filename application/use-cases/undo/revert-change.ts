import * as E from 'fp-ts/lib/Either.js';
import * as T from 'fp-ts/lib/Task.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { constVoid, pipe } from 'fp-ts/lib/function.js';
import { type AudioRefusalOf, isAudioRefusalOf } from '../../../domain/audio/contract.js';
import { partOfAudio } from '../../../domain/audio/revert-change.js';
import type { RegisteredAudio } from '../../../domain/audio/state.js';
import type { IdempotencyKeyCommand } from '../../../domain/idempotency-key/contract.js';
import type { RenumberedSince } from '../../../domain/kernel/edit.js';
import { type AudioId, type VideoId, InstanceId } from '../../../domain/kernel/ids.js';
import type { Position } from '../../../domain/kernel/recorded-event.js';
import { type SpeakersNotFollowed, type VideoRefusalOf, isVideoRefusalOf } from '../../../domain/video/contract.js';
import { partOfVideo } from '../../../domain/video/decisions/revert-change.js';
import type { RegisteredVideo } from '../../../domain/video/state.js';
import type { Application, EventsNotFound, Uses } from '../../application.js';
import { type RequestContext, anyRevision, commandContext, newId } from '../../commands/context.js';
import type { Folded } from '../../commands/handle-command.js';
import { type Failure, type RevisionChanged, isFailure, narrowRefusal } from '../../failures.js';
import { factsOf, whenFollowed } from '../videos/change-video.js';
import { type FoundChange, type UnknownEvent, findChange } from './find-change.js';
import { type Reverted, revertedBy } from './reverted.js';

const pause = T.delay(50)(T.of(undefined));

/**
 * A lock over all instances: one request at a time may undo a change of two records. A request at each record would be
 * decided on a different stream, so a third stream holds the lock. It expires half a minute after a crash.
 */
const oneAtATime = <Refusal, Done>(
  app: Uses<'clock' | 'idempotencyKeys' | 'ids' | 'log'>,
  request: RequestContext,
  change_id: string,
  work: TE.TaskEither<Refusal, Done>,
): TE.TaskEither<Refusal | Failure, Done> => {
  const id = app.ids.digest(`undo ${change_id}`);
  const write_id = app.ids.random();
  const process_id = write_id;
  const worker = { instance_id: newId(app.ids, InstanceId), process_id };
  const { account_id } = request.caller;
  const handle = (command: IdempotencyKeyCommand) => {
    // With ids of its own: a repetition of the request takes its turn again.
    const { write: _write, ...own } = anyRevision(request);
    return pipe(
      app.idempotencyKeys.handle(id, command, commandContext(app.ids, own)),
      TE.chainFirstIOK(({ position }) => () => {
        if (position !== null) request.onKeyWrite(position);
      }),
    );
  };
  const claim = (): TE.TaskEither<Refusal | Failure, string> =>
    pipe(
      handle({ type: 'ClaimWrite', account_id, write_id, request_digest: 'undo', ...worker, at: app.clock.now() }),
      TE.map(({ state: { holder } }) => holder?.write_id ?? write_id),
      TE.orElseW((refusal) => (isFailure(refusal) ? TE.left(refusal) : pipe(TE.fromTask(pause), TE.chain(claim)))),
    );
  const release = (held: string): TE.TaskEither<never, void> =>
    pipe(
      handle({
        type: 'EndWrite',
        process_id,
        ending: { type: 'WriteReleased', data: { write_id: held, may_be_written: false, at: app.clock.now() } },
      }),
      T.map(
        E.match(({ _tag }) => {
          const facts = { request_id: request.request_id, failure: _tag };
          app.log.warn('the lock for undoing a change was not released', facts);
        }, constVoid),
      ),
      TE.fromTask,
    );
  return TE.bracket<Refusal | Failure, string, Done>(claim(), () => work, release);
};

/** Changes of this kind cannot be undone. */
export interface NotRevertible {
  readonly _tag: 'NotRevertible';
  readonly reason: NonNullable<FoundChange['irreversible']> | RenumberedSince['reason'];
}

interface RevertWanted {
  readonly position: Position;
  /** Returns the same and writes nothing. */
  readonly dry_run: boolean;
}

export type UndoRefusal =
  | VideoRefusalOf<'RevertVideoChange'>
  | AudioRefusalOf<'RevertAudioChange'>
  | UnknownEvent
  | NotRevertible
  | EventsNotFound
  | RevisionChanged
  | Failure;

/** The record whose change is asked for: a video, or an audio with its parent. */
type Asked =
  | { readonly audio_id: null; readonly video_id: VideoId }
  | { readonly audio_id: AudioId; readonly video_id: VideoId | null };

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

const recordsOf = (app: Uses<'audios' | 'videos'>, asked: Asked): TE.TaskEither<Failure, Records> =>
  pipe(
    TE.Do,
    TE.bind('video', () => registered<RegisteredVideo>(app.videos.load)(asked.video_id)),
    TE.bind('audio', ({ video }) =>
      registered<RegisteredAudio>(app.audios.load)(asked.audio_id ?? video?.state.audio_id ?? null),
    ),
  );

/** The change of a video or an audio at a position. */
export const changeOf = (
  app: Uses<'audios' | 'requestEvents' | 'store' | 'videos'>,
  asked: Asked,
  position: Position,
): TE.TaskEither<UnknownEvent | EventsNotFound | Failure, FoundChange> =>
  pipe(
    recordsOf(app, asked),
    TE.chainW(({ video, audio }) =>
      findChange(
        app,
        [
          ...(video === null ? [] : [`video-${video.state.video_id}`]),
          ...(audio === null ? [] : [`audio-${audio.state.audio_id}`]),
        ],
        position,
      ),
    ),
    TE.filterOrElseW(
      ({ streams }) => streams.has(asked.audio_id === null ? `video-${asked.video_id}` : `audio-${asked.audio_id}`),
      (): UnknownEvent => ({ _tag: 'UnknownEvent', position }),
    ),
  );

/** Undoes a change, if it can be undone; one of both records is undone by one request at a time. */
const undone = (
  app: Application,
  request: RequestContext,
  asked: Asked,
  { position, dry_run }: RevertWanted,
  undo: (change: FoundChange) => TE.TaskEither<UndoRefusal, Reverted>,
): TE.TaskEither<UndoRefusal, Reverted> =>
  pipe(
    changeOf(app, asked, position),
    TE.chainW((change): TE.TaskEither<UndoRefusal, Reverted> => {
      const { irreversible: reason, change_id, streams } = change;
      if (reason !== null) return TE.left({ _tag: 'NotRevertible', reason });
      return dry_run || streams.size < 2 ? undo(change) : oneAtATime(app, request, change_id, undo(change));
    }),
  );

const noPart = E.right({ other: null, changed_since: [] });

const isOfVideo = isVideoRefusalOf('RevertVideoChange');
const isRevertRefusal = (
  refusal: Parameters<typeof isOfVideo>[0],
): refusal is VideoRefusalOf<'RevertVideoChange'> | SpeakersNotFollowed =>
  refusal._tag === 'SpeakersNotFollowed' || isOfVideo(refusal);

/** POST /v2/videos/{video_id}/history/{position}/revert (contract, Undo). */
export const revertVideoChange = (
  app: Application,
  request: RequestContext,
  video_id: VideoId,
  wanted: RevertWanted,
): TE.TaskEither<UndoRefusal, Reverted> => {
  const asked = { video_id, audio_id: null };
  return undone(app, request, asked, wanted, ({ change_id, video, audio: made }) => {
    const { position, dry_run } = wanted;
    const common = { position, change_id, cause: { kind: 'request' as const }, at: request.at };
    const decided = pipe(
      recordsOf(app, asked),
      TE.bindW('part', ({ audio }) =>
        TE.fromEither(audio === null ? noPart : partOfAudio(audio.state, audio.revision, made)),
      ),
      TE.chainW(({ audio, part }) => {
        const facts = audio && factsOf(audio.state);
        const command = { type: 'RevertVideoChange' as const, ...common, ...video, ...part, audio: facts };
        return pipe(app.eventsOf(request, 'videos', video_id, command, dry_run), narrowRefusal(isRevertRefusal));
      }),
    );
    return pipe(
      whenFollowed(app, request, video_id, decided),
      TE.map((events) => revertedBy(events, video_id)),
    );
  });
};

/** POST /v2/audios/{audio_id}/history/{position}/revert (contract, Undo). */
export const revertAudioChange = (
  app: Application,
  request: RequestContext,
  audio_id: AudioId,
  video_id: VideoId | null,
  wanted: RevertWanted,
): TE.TaskEither<UndoRefusal, Reverted> => {
  const asked = { video_id, audio_id };
  return undone(app, request, asked, wanted, ({ change_id, video: made, audio }) => {
    const { position, dry_run } = wanted;
    const common = { position, change_id, cause: { kind: 'request' as const }, at: request.at };
    return pipe(
      recordsOf(app, asked),
      TE.chainEitherKW(({ video, audio: heard }) => {
        const facts = heard && factsOf(heard.state);
        return video === null ? noPart : partOfVideo(video.state, video.revision, { ...made, audio: facts });
      }),
      TE.chainW((part) => {
        const command = { type: 'RevertAudioChange' as const, ...common, ...audio, ...part };
        return pipe(
          app.eventsOf(request, 'audios', audio_id, command, dry_run),
          narrowRefusal(isAudioRefusalOf('RevertAudioChange')),
        );
      }),
      TE.map((events) => revertedBy(events, audio_id)),
    );
  });
};
