import * as E from 'fp-ts/lib/Either.js';
import * as T from 'fp-ts/lib/Task.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { constVoid, pipe } from 'fp-ts/lib/function.js';
import { type AudioRefusalOf, type RevertAudioChange, isAudioRefusalOf } from '../../../domain/audio/contract.js';
import {
  type IrreversibleAudioChange,
  audioChangesOf,
  irreversibleAudioChange,
  partOfAudio,
} from '../../../domain/audio/revert-change.js';
import type { RegisteredAudio } from '../../../domain/audio/state.js';
import type { IdempotencyKeyCommand } from '../../../domain/idempotency-key/contract.js';
import type { RenumberedSince } from '../../../domain/kernel/edit.js';
import { type AudioId, type VideoId, InstanceId } from '../../../domain/kernel/ids.js';
import type { Position } from '../../../domain/kernel/recorded-event.js';
import { isTouched, renumberedAfter } from '../../../domain/kernel/renumbering.js';
import {
  type RevertVideoChange,
  type SpeakersNotFollowed,
  type VideoRefusalOf,
  isVideoRefusalOf,
} from '../../../domain/video/contract.js';
import { partOfVideo } from '../../../domain/video/decisions/revert-change.js';
import {
  type IrreversibleVideoChange,
  irreversibleVideoChange,
  runOf,
  videoChangesOf,
} from '../../../domain/video/reversible-changes.js';
import { type RegisteredVideo, touchesRenumbered } from '../../../domain/video/state.js';
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
  const claim = (): TE.TaskEither<Failure, string> =>
    pipe(
      handle({ type: 'ClaimWrite', account_id, write_id, request_digest: 'undo', ...worker, at: app.clock.now() }),
      TE.map(({ state: { holder } }) => holder?.write_id ?? write_id),
      TE.orElse((refusal) => (isFailure(refusal) ? TE.left(refusal) : pipe(TE.fromTask(pause), TE.chain(claim)))),
    );
  const release = (held: string): T.Task<void> =>
    pipe(
      handle({
        type: 'EndWrite',
        process_id,
        ending: { type: 'WriteReleased', data: { write_id: held, may_be_written: false, at: app.clock.now() } },
      }),
      TE.match(
        ({ _tag }) =>
          app.log.warn('the lock for undoing a change was not released', {
            request_id: request.request_id,
            failure: _tag,
          }),
        constVoid,
      ),
    );
  return pipe(
    claim(),
    TE.chainW((held) =>
      pipe(
        TE.fromTask(work),
        TE.chainFirstTaskK(() => release(held)),
        TE.chainW((done) => TE.fromEither(done)),
      ),
    ),
  );
};

/** Changes of this kind cannot be undone. */
export interface NotRevertible {
  readonly _tag: 'NotRevertible';
  readonly reason: IrreversibleVideoChange | IrreversibleAudioChange | RenumberedSince['reason'];
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

/** Events that only accompany a change that can be undone. */
const companions: ReadonlySet<NotRevertible['reason']> = new Set(['trigger', 'suggestions', 'failed_run']);

const checkRevertible = ({ video, audio }: FoundChange): E.Either<NotRevertible, void> => {
  const reasons = [...video.map(irreversibleVideoChange), ...audio.map(irreversibleAudioChange)];
  const lasting = reasons.find((reason) => reason !== null && !companions.has(reason));
  const reason = lasting ?? (reasons.includes(null) ? null : reasons[0]);
  return reason === null || reason === undefined ? E.right(undefined) : E.left({ _tag: 'NotRevertible', reason });
};

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

/** The change at a position that touched the record. */
const changeAt = (
  app: Uses<'requestEvents' | 'store'>,
  { video, audio }: Records,
  asked: Asked,
  position: Position,
): TE.TaskEither<UnknownEvent | EventsNotFound | Failure, FoundChange> => {
  const streams = [
    ...(video === null ? [] : [{ stream: `video-${video.state.video_id}`, revision: video.revision }]),
    ...(audio === null ? [] : [{ stream: `audio-${audio.state.audio_id}`, revision: audio.revision }]),
  ];
  const stream = asked.audio_id === null ? `video-${asked.video_id}` : `audio-${asked.audio_id}`;
  return pipe(
    findChange(app, streams, position),
    TE.filterOrElseW(
      (change) => change.streams.has(stream),
      (): UnknownEvent => ({ _tag: 'UnknownEvent', position }),
    ),
  );
};

/** The change of a video or an audio at a position. */
const changeOf = (app: Application, asked: Asked, position: Position) =>
  pipe(
    recordsOf(app, asked),
    TE.chainW((records) => changeAt(app, records, asked, position)),
  );

/** The change of a video at a position. */
export const changeOfVideo = (app: Application, video_id: VideoId, position: Position): ReturnType<typeof changeOf> =>
  changeOf(app, { video_id, audio_id: null }, position);

/** The change of an audio at a position. */
export const changeOfAudio = (
  app: Application,
  audio_id: AudioId,
  video_id: VideoId | null,
  position: Position,
): ReturnType<typeof changeOf> => changeOf(app, { video_id, audio_id }, position);

/** Without a video there is nothing to follow. */
const asContention = (refusal: UndoRefusal | SpeakersNotFollowed): UndoRefusal =>
  refusal._tag === 'SpeakersNotFollowed' ? { _tag: 'Contention', stream: 'video' } : refusal;

/** Whether the change touched faces or speakers that were renumbered since. */
const isRenumbered = ({ video, audio }: Records, change: FoundChange): boolean => {
  const isSpeaker = isTouched(renumberedAfter(audio?.state.renumberings ?? [], change.audio_revision));
  return (
    (video !== null && touchesRenumbered(video.state, videoChangesOf(change.video), change.video_revision)) ||
    audioChangesOf(change.audio).speakers.some(({ speaker_id }) => isSpeaker(speaker_id))
  );
};

type Decide<Event> = (
  records: Records,
  change: FoundChange,
) => TE.TaskEither<UndoRefusal | SpeakersNotFollowed, ReadonlyArray<Event>>;

/** Undoes a change; one of both records is undone by one request at a time. */
const undone = <Event>(
  app: Application,
  request: RequestContext,
  asked: Asked,
  wanted: RevertWanted,
  decide: Decide<Event>,
): TE.TaskEither<UndoRefusal, ReadonlyArray<Event>> =>
  pipe(
    changeOf(app, asked, wanted.position),
    TE.chainFirstW((change) => TE.fromEither(checkRevertible(change))),
    TE.chainW((change) => {
      const again = pipe(
        recordsOf(app, asked),
        TE.chainW((fresh) =>
          isRenumbered(fresh, change)
            ? TE.left<UndoRefusal | SpeakersNotFollowed>({ _tag: 'NotRevertible', reason: 'renumbered' })
            : decide(fresh, change),
        ),
      );
      const { video_id } = asked;
      const followed =
        video_id === null ? pipe(again, TE.mapLeft(asContention)) : whenFollowed(app, request, video_id, again);
      return wanted.dry_run || change.streams.size < 2
        ? followed
        : oneAtATime(app, request, change.change_id, followed);
    }),
  );

/** The command to the video, with the audio's part of the change. */
const onVideo = ({ video, audio }: Records, change: FoundChange): Omit<RevertVideoChange, 'position' | 'at'> => ({
  type: 'RevertVideoChange',
  change_id: change.change_id,
  changes: videoChangesOf(change.video),
  revision: change.video_revision,
  run_id: runOf(change.video),
  cause: { kind: 'request' },
  ...(audio === null || video === null
    ? { other: null, changed_since: [] }
    : partOfAudio(audio.state, audio.revision, audioChangesOf(change.audio))),
  audio: audio && factsOf(audio.state),
});

/** The command to the audio, with the video's part of the change. */
const onAudio = ({ video, audio }: Records, change: FoundChange): Omit<RevertAudioChange, 'position' | 'at'> => ({
  type: 'RevertAudioChange',
  change_id: change.change_id,
  changes: audioChangesOf(change.audio),
  revision: change.audio_revision,
  cause: { kind: 'request' },
  ...(video === null
    ? { other: null, changed_since: [] }
    : partOfVideo(video.state, video.revision, {
        changes: videoChangesOf(change.video),
        revision: change.video_revision,
        run_id: runOf(change.video),
        audio: audio && factsOf(audio.state),
      })),
});

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
  const { position, dry_run } = wanted;
  return pipe(
    undone(app, request, { video_id, audio_id: null }, wanted, (records, change) =>
      pipe(
        app.eventsOf(request, 'videos', video_id, { ...onVideo(records, change), position, at: request.at }, dry_run),
        narrowRefusal(isRevertRefusal),
      ),
    ),
    TE.map((events) => revertedBy(events, video_id)),
  );
};

/** POST /v2/audios/{audio_id}/history/{position}/revert (contract, Undo). */
export const revertAudioChange = (
  app: Application,
  request: RequestContext,
  audio_id: AudioId,
  video_id: VideoId | null,
  wanted: RevertWanted,
): TE.TaskEither<UndoRefusal, Reverted> => {
  const { position, dry_run } = wanted;
  return pipe(
    undone(app, request, { video_id, audio_id }, wanted, (records, change) =>
      pipe(
        app.eventsOf(request, 'audios', audio_id, { ...onAudio(records, change), position, at: request.at }, dry_run),
        narrowRefusal(isAudioRefusalOf('RevertAudioChange')),
      ),
    ),
    TE.map((events) => revertedBy(events, audio_id)),
  );
};
