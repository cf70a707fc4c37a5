import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { type AudioEvent, audioEvents } from '../../../domain/audio/events.js';
import type { DomainEvent } from '../../../domain/event-catalogue.js';
import { isEventOf } from '../../../domain/kernel/event-codecs.js';
import type { Position, RecordedEvent } from '../../../domain/kernel/recorded-event.js';
import { type VideoEvent, videoEvents } from '../../../domain/video/events.js';
import type { Uses } from '../../application.js';
import type { Failure, UnreadableEvent } from '../../failures.js';
import { type YieldIfBusy, yieldTask } from '../../ports/event-loop.js';
import type { EventStore, StoredEvent } from '../../ports/event-store.js';
import type { EventsNotFound } from '../../ports/request-events.js';
import { readEvent } from '../../commands/read-event.js';

type Recorded = RecordedEvent<DomainEvent>;

/** The position names no change of this record. */
export interface UnknownEvent {
  readonly _tag: 'UnknownEvent';
  readonly position: Position;
}

/** All that one request changed on a video and its audio, each in the order of the log. */
export interface FoundChange {
  /** The first event of the change: it stands for it. */
  readonly change_id: string;
  readonly video: ReadonlyArray<VideoEvent>;
  readonly audio: ReadonlyArray<AudioEvent>;
  /** The streams of the records that it touched. */
  readonly streams: ReadonlySet<string>;
}

/** A record's stream, and the revision of its last event. */
export interface StreamEnd {
  readonly stream: string;
  readonly revision: number;
}

const pageSize = 100;

/** Streams whose events a change of a record can bring about: a run that is told, a charge. */
const followers = ['matchRun', 'creditAccount', 'nameInference', 'idempotencyKey'];

/** So many pages of other events may lie between a change and what it brought about elsewhere. */
const mostPages = 100;

const inOrder = <Event extends { readonly position: Position }>(events: ReadonlyArray<Event>): ReadonlyArray<Event> =>
  [...events].sort((one, other) => (one.position < other.position ? -1 : 1));

/** Finds the last event of a stream at a position or before it, by halving the stream's revisions from one to another. */
const lastOfStream = (
  store: EventStore,
  stream: string,
  position: Position,
  [from, to]: readonly [from: number, to: number],
  found: StoredEvent | null = null,
): TE.TaskEither<Failure, StoredEvent | null> => {
  if (from > to) return TE.right(found);
  const middle = Math.ceil((from + to) / 2);
  return pipe(
    store.read(stream, middle - 1, 1),
    TE.chainW(([event]) =>
      event !== undefined && event.position <= position
        ? lastOfStream(store, stream, position, [middle + 1, to], event)
        : lastOfStream(store, stream, position, [from, middle - 1], found),
    ),
  );
};

/** Decodes an event once others had their turn: a change may tell of thousands of faces. */
const decoded =
  (yieldIfBusy: YieldIfBusy) =>
  (event: StoredEvent): TE.TaskEither<UnreadableEvent, Recorded> =>
    pipe(
      TE.fromTask<void, UnreadableEvent>(yieldTask(yieldIfBusy)),
      TE.chainEitherK(() => readEvent(event)),
    );

/** The last event of the records at a position or before it. */
const lastUpTo = (
  { store, yieldIfBusy }: Uses<'yieldIfBusy' | 'store'>,
  streams: ReadonlyArray<StreamEnd>,
  position: Position,
): TE.TaskEither<Failure, Recorded | null> =>
  pipe(
    TE.traverseSeqArray(({ stream, revision }: StreamEnd) => lastOfStream(store, stream, position, [0, revision]))(
      streams,
    ),
    TE.map((found) => inOrder(found.flatMap((event) => event ?? [])).at(-1) ?? null),
    TE.chainW((last) => (last === null ? TE.right(null) : decoded(yieldIfBusy)(last))),
  );

/** The events of both records that have a request id, in the order of the log. */
const ofRequest = (
  { requestEvents, yieldIfBusy }: Uses<'yieldIfBusy' | 'requestEvents'>,
  streams: ReadonlyArray<StreamEnd>,
  request_id: string,
): TE.TaskEither<Failure | EventsNotFound, ReadonlyArray<Recorded>> =>
  pipe(
    requestEvents(
      streams.map(({ stream }) => stream),
      request_id,
    ),
    TE.chainW(TE.traverseSeqArray(decoded(yieldIfBusy))),
    TE.map((found) => inOrder(found.filter(({ metadata }) => metadata.correlation_id === request_id))),
  );

/** The event at a position after another one, in a stream that is none of the records'. */
const elsewhere = (
  store: EventStore,
  position: Position,
  after: Position,
  pages = mostPages,
): TE.TaskEither<Failure, Recorded | null> =>
  pipe(
    store.readAll(after, { categories: followers }, pageSize),
    TE.chainW(({ events, examined }): TE.TaskEither<Failure, Recorded | null> => {
      const found = events.find((event) => event.position === position);
      if (found !== undefined) return TE.fromEither(readEvent(found));
      return examined === null || examined >= position || pages === 0
        ? TE.right(null)
        : elsewhere(store, position, examined, pages - 1);
    }),
  );

const isLinked = (one: Recorded, other: Recorded): boolean =>
  one.metadata.causation_id === other.event_id ||
  other.metadata.causation_id === one.event_id ||
  one.metadata.causation_id === other.metadata.causation_id;

/** Those that belong together with some of them: by the same command or event, or one because of the other. */
const linkedTo = (some: ReadonlyArray<Recorded>, all: ReadonlyArray<Recorded>): ReadonlyArray<Recorded> => {
  const more = all.filter((event) => some.includes(event) || some.some((one) => isLinked(one, event)));
  return more.length === some.length ? some : linkedTo(more, all);
};

/**
 * The events of the change that an event belongs to. Request ids may be sent more than once, so what caused what
 * decides; an event in another stream that nothing links belongs to the last change before it that has its request id.
 */
const changeOf = (event: Recorded, all: ReadonlyArray<Recorded>): ReadonlyArray<Recorded> => {
  const start = all.filter((one) => one.event_id === event.event_id || isLinked(one, event));
  const last = all.findLast(({ position }) => position < event.position);
  const some = start.length > 0 || last === undefined ? start : [last];
  return linkedTo(some, all);
};

const isVideoEvent = isEventOf(videoEvents);
const isAudioEvent = isEventOf(audioEvents);

/**
 * The change that the event at a position belongs to: `streams` are those of the record at whose path it is asked for,
 * and of the record that it belongs to. The position may also be that of an event that the change brought about in
 * another stream, as `X-Event-Position` tells it. Reads a logarithm of the streams, and the request's own events.
 */
export const findChange = (
  app: Uses<'yieldIfBusy' | 'requestEvents' | 'store'>,
  streams: ReadonlyArray<StreamEnd>,
  position: Position,
): TE.TaskEither<UnknownEvent | EventsNotFound | Failure, FoundChange> => {
  const unknown: UnknownEvent = { _tag: 'UnknownEvent', position };
  return pipe(
    lastUpTo(app, streams, position),
    TE.chain((last) =>
      last === null || last.position === position ? TE.right(last) : elsewhere(app.store, position, last.position),
    ),
    TE.chainW((event): TE.TaskEither<UnknownEvent | EventsNotFound | Failure, ReadonlyArray<Recorded>> =>
      event === null
        ? TE.left(unknown)
        : pipe(
            ofRequest(app, streams, event.metadata.correlation_id),
            TE.map((events) => changeOf(event, events)),
          ),
    ),
    TE.chain((events) => {
      const [first] = events;
      return first === undefined
        ? TE.left(unknown)
        : TE.right({
            change_id: first.event_id,
            video: events.map(({ event }) => event).filter(isVideoEvent),
            audio: events.map(({ event }) => event).filter(isAudioEvent),
            streams: new Set(events.map(({ stream }) => stream)),
          });
    }),
  );
};
