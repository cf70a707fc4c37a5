import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { DomainEvent } from '../../domain/event-catalogue.js';
import type { Tagged } from '../../domain/kernel/decider.js';
import type { AudioId, VideoId } from '../../domain/kernel/ids.js';
import type { MediaKind } from '../../domain/kernel/media.js';
import type { RecordedEvent } from '../../domain/kernel/recorded-event.js';
import type { Queries, ReadModelBehind, ReadModelsUnavailable } from '../../projections/queries.js';
import { type RecordReplay, audioView, replayAudio, replayVideo } from '../../projections/shown-records.js';
import type { AudioRecord, AudioRow, VideoRecord, VideoRow } from '../../projections/views.js';
import type { Uses } from '../application.js';
import type { Failure } from '../failures.js';
import type { EventStore } from '../ports/event-store.js';
import { type PointInHistory, isWithin, readHistoryPage } from './events.js';

/** The record did not exist at that point in its history, or does not reach that revision. */
export type NoSuchRevision = Tagged<'NoSuchRevision'>;

interface View<Body> {
  readonly record: Body;
  readonly revision: number;
}

/** The sources of a record. */
export interface RecordSource<Body> {
  /** From the read models. */
  readonly current: () => TE.TaskEither<ReadModelsUnavailable, View<Body> | null>;
  /** From the log, as it was at a point in its history; null if it did not exist then or does not reach that revision. */
  readonly at: (until: PointInHistory) => TE.TaskEither<Failure, View<Body> | null>;
}

/** This much is replayed at once. */
const replayed = { events: 50, bytes: 250_000 };

/** A view as it was at a point in its history, replayed from the events of its stream. */
const viewAt =
  <Shown>(
    log: Pick<EventStore, 'read'>,
    stream: string,
    until: PointInHistory,
    replay: RecordReplay<Shown>,
  ): TE.TaskEither<Failure, Shown | null> =>
  async () => {
    for (let after = -1; ;) {
      const page = await readHistoryPage(log, stream, after, replayed.events, replayed.bytes)();
      if (E.isLeft(page)) return page;
      const within = page.right.filter((event) => isWithin(event, until));
      within.forEach(replay.take);
      after = within.at(-1)?.revision ?? after;
      if (within.length < page.right.length || page.right.length === 0)
        return E.right(until.kind === 'revision' && after < until.revision ? null : replay.view());
    }
  };

interface Needs {
  readonly log: Pick<EventStore, 'read'>;
  readonly queries: Pick<Queries, 'video' | 'audio'>;
}

export const videoSource = ({ log, queries }: Needs, video_id: VideoId): RecordSource<VideoRecord> => ({
  current: () => queries.video(video_id),
  at: (until) => viewAt(log, `video-${video_id}`, until, replayVideo()),
});

/** The kind of the parent video, which some fields of an audio depend on. It never changes. */
const parentKind = (
  app: Uses<'videos'>,
  { record: { video_id } }: AudioRow,
): TE.TaskEither<Failure, MediaKind | null> =>
  video_id === null
    ? TE.right(null)
    : pipe(
        app.videos.load(video_id),
        TE.map(({ state }) => (state._tag === 'Registered' ? state.kind : null)),
      );

export const audioSource = (
  { app, log, queries }: Needs & { readonly app: Uses<'videos'> },
  audio_id: AudioId,
): RecordSource<AudioRecord> => ({
  current: () => queries.audio(audio_id),
  at: (until) =>
    pipe(
      viewAt(log, `audio-${audio_id}`, until, replayAudio()),
      TE.chainW((row) =>
        row === null
          ? TE.right(null)
          : pipe(
              parentKind(app, row),
              TE.map((kind) => audioView(row, () => kind)),
            ),
      ),
    ),
});

type Read<Body, Unread> = TE.TaskEither<Unread | NoSuchRevision, View<Body>>;

/**
 * A record at a point in its history, made from the log; null: the current one, from the log if the read models do not have
 * it yet.
 */
export const recordAt = <Body>(
  { current, at }: RecordSource<Body>,
  until: PointInHistory | null,
): Read<Body, Failure | ReadModelsUnavailable> =>
  pipe(
    until === null ? current() : TE.right(null),
    TE.chainW((view) => (view === null ? at(until ?? { kind: 'now' }) : TE.right(view))),
    TE.chainEitherKW(E.fromNullable<NoSuchRevision>({ _tag: 'NoSuchRevision' })),
  );

/** A record that was just changed: from the read models, or if they are behind, from the log. */
export const changedRecord = <Body>(
  source: RecordSource<Body>,
  upToDate: () => TE.TaskEither<ReadModelBehind, void>,
): Read<Body, Failure | ReadModelsUnavailable> =>
  pipe(
    upToDate(),
    TE.chainW(() => recordAt(source, null)),
    TE.orElse(() => recordAt(source, { kind: 'now' })),
  );

/** A video as the read models have it, without its tags. */
export const readVideo = (
  { untaggedVideo }: Pick<Queries, 'untaggedVideo'>,
  video_id: VideoId,
): TE.TaskEither<Tagged<'UnknownVideo'> | ReadModelsUnavailable, VideoRow> =>
  pipe(untaggedVideo(video_id), TE.chainW(TE.fromNullable({ _tag: 'UnknownVideo' as const })));

/** The events of about this many bytes are read at once. */
const historyBytes = 500_000;

/** The next events of a record, and after which revision there are or may be more; null: after none. */
export const readHistory = (
  store: EventStore,
  stream: string,
  after: number,
  limit: number,
): TE.TaskEither<
  Failure,
  { readonly items: ReadonlyArray<RecordedEvent<DomainEvent>>; readonly next_after: number | null }
> =>
  pipe(
    readHistoryPage(store, stream, after, limit, historyBytes),
    TE.chain((items) => {
      const last = items.at(-1)?.revision ?? null;
      // Fewer than requested: there are more, or the next portion is empty.
      if (last === null || items.length < limit) return TE.right({ items, next_after: last });
      return pipe(
        readHistoryPage(store, stream, last, 1),
        TE.map((next) => ({ items, next_after: next.length === 0 ? null : last })),
      );
    }),
  );
