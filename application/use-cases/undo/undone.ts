import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe, constVoid } from 'fp-ts/lib/function.js';
import {
  type IrreversibleAudioChange,
  audioChangesOf,
  irreversibleAudioChange,
} from '../../../domain/audio/revert-change.js';
import type { AudioRefusalOf } from '../../../domain/audio/contract.js';
import type { RegisteredAudio } from '../../../domain/audio/state.js';
import type { RenumberedSince } from '../../../domain/kernel/edit.js';
import { type AudioId, type VideoId, InstanceId } from '../../../domain/kernel/ids.js';
import type { Position } from '../../../domain/kernel/recorded-event.js';
import {
  type IrreversibleVideoChange,
  irreversibleVideoChange,
  videoChangesOf,
} from '../../../domain/video/reversible-changes.js';
import type { VideoRefusalOf, SpeakersNotFollowed } from '../../../domain/video/contract.js';
import { type RegisteredVideo, touchesRenumbered } from '../../../domain/video/state.js';
import type { Uses, EventsNotFound } from '../../application.js';
import { type FoundChange, type UnknownEvent, findChange } from './find-change.js';
import { type Failure, type RevisionChanged, isFailure } from '../../failures.js';

import { type RequestContext, anyRevision, commandContext } from '../../commands/context.js';
import type { Folded } from '../../commands/handle-command.js';
import { isTouched, renumberedAfter } from '../../../domain/kernel/renumbering.js';
import { whenFollowed } from '../videos/change-video.js';
import * as T from 'fp-ts/lib/Task.js';
import type { IdempotencyKeyCommand } from '../../../domain/idempotency-key/contract.js';
import { newId } from '../../ports/ids.js';

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
      handle({ type: 'ReleaseWrite', process_id, write_id: held, may_be_written: false, at: app.clock.now() }),
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

export interface RevertWanted {
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

export interface Records {
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

export const registeredVideo = (app: Uses<'videos'>, id: VideoId | null): TE.TaskEither<Failure, Records['video']> =>
  id === null
    ? TE.right(null)
    : pipe(
        app.videos.load(id),
        TE.map(({ state, revision }) => (state._tag === 'Registered' ? { state, revision } : null)),
      );

export const registeredAudio = (app: Uses<'audios'>, id: AudioId | null): TE.TaskEither<Failure, Records['audio']> =>
  id === null
    ? TE.right(null)
    : pipe(
        app.audios.load(id),
        TE.map(({ state, revision }) => (state._tag === 'Registered' ? { state, revision } : null)),
      );

/** The change at a position that touched the record with the stream `asked`. */
export const changeAt = (
  app: Uses<'requestEvents' | 'store'>,
  { video, audio }: Records,
  asked: string,
  position: Position,
): TE.TaskEither<UnknownEvent | EventsNotFound | Failure, FoundChange> => {
  const streams = [
    ...(video === null ? [] : [{ stream: `video-${video.state.video_id}`, revision: video.revision }]),
    ...(audio === null ? [] : [{ stream: `audio-${audio.state.audio_id}`, revision: audio.revision }]),
  ];
  return pipe(
    findChange(app, streams, position),
    TE.filterOrElseW(
      (change) => change.streams.has(asked),
      (): UnknownEvent => ({ _tag: 'UnknownEvent', position }),
    ),
  );
};

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

/** Undoes a change; one of both records is undone by one request at a time. */
export const undone = <Event>(
  app: Uses<'audios' | 'clock' | 'idempotencyKeys' | 'ids' | 'log' | 'perform' | 'requestEvents' | 'store' | 'videos'>,
  request: RequestContext,
  asked: { readonly stream: string; readonly video_id: VideoId | null },
  wanted: RevertWanted,
  records: TE.TaskEither<Failure, Records>,
  decide: (
    records: Records,
    change: FoundChange,
  ) => TE.TaskEither<UndoRefusal | SpeakersNotFollowed, ReadonlyArray<Event>>,
): TE.TaskEither<UndoRefusal, ReadonlyArray<Event>> =>
  pipe(
    TE.Do,
    TE.bind('found', () => records),
    TE.bindW('change', ({ found: both }) => changeAt(app, both, asked.stream, wanted.position)),
    TE.chainFirstW(({ change }) => TE.fromEither(checkRevertible(change))),
    TE.chainW(({ change }) => {
      const again = pipe(
        records,
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
