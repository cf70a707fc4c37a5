import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { type AudioEvent, audioEvents } from '../../../domain/audio/events.js';
import type { DomainEvent } from '../../../domain/event-catalogue.js';
import { type Position, type RecordedEvent, isEventOf, streamCategory } from '../../../domain/kernel/recorded-event.js';
import { type VideoEvent, videoEvents } from '../../../domain/video/events.js';
import type { Uses, EventsNotFound, RequestEvent, RequestEvents } from '../../application.js';
import type { Failure, UnreadableEvent } from '../../failures.js';
import type { EventStore, StoredEvent } from '../../ports/event-store.js';
import { readEvent, readMetadata } from '../../commands/read-event.js';
import type { Queries } from '../../../projections/queries.js';
import * as E from 'fp-ts/lib/Either.js';
import { everyEvent } from '../../../projections/event-selection.js';
import { readSelection } from '../../queries/events.js';

/**
 * The events that are transitively linked to the first ones: one caused the other, or both have the same cause. The order
 * is that of `all`.
 */
const linkedTo = (
  first: ReadonlyArray<RequestEvent>,
  all: ReadonlyArray<RequestEvent>,
): ReadonlyArray<RequestEvent> => {
  const [ids, causes] = [new Set<string>(), new Set<string>()];
  const withDirectLinks = (some: ReadonlyArray<RequestEvent>): ReadonlyArray<RequestEvent> => {
    for (const { event_id, causation_id } of some) {
      ids.add(event_id);
      causes.add(causation_id);
    }
    return all.filter(
      ({ event_id, causation_id }) =>
        ids.has(event_id) || ids.has(causation_id) || causes.has(event_id) || causes.has(causation_id),
    );
  };
  let linked = withDirectLinks(first);
  for (let more = withDirectLinks(linked); more.length > linked.length; more = withDirectLinks(linked)) linked = more;
  return linked;
};

/**
 * The events of the change that an event belongs to, by their causes: request ids alone may repeat. `all` are in log order.
 * An event of another stream without a link belongs to the last change before it with its request id.
 */
const eventsOfChange = (event: RequestEvent, all: ReadonlyArray<RequestEvent>): ReadonlyArray<RequestEvent> => {
  const linked = linkedTo([event], all);
  const last = all.findLast(({ position }) => position < event.position);
  return linked.length > 0 || last === undefined ? linked : linkedTo([last], all);
};

type Recorded = RecordedEvent<DomainEvent>;

/** No change of this record has this position. */
export interface UnknownEvent {
  readonly _tag: 'UnknownEvent';
  readonly position: Position;
}

/** The events of one change of a video and its audio, each in log order. */
export interface FoundChange {
  /** The id of the first event of the change. */
  readonly change_id: string;
  readonly video: ReadonlyArray<VideoEvent>;
  readonly audio: ReadonlyArray<AudioEvent>;
  /** The streams of the records that were changed. */
  readonly streams: ReadonlySet<string>;
  /** The revisions of its first events; -1 for a record that it did not change. */
  readonly video_revision: number;
  readonly audio_revision: number;
}

/** A record's stream, and the revision of its last event. */
export interface StreamEnd {
  readonly stream: string;
  readonly revision: number;
}

const pageSize = 100;

/** Categories of streams in which a change of a record can cause events. */
const relatedCategories = ['matchRun', 'creditAccount', 'nameInference', 'idempotencyKey'];

/** The pages of other events that may lie between a change and an event that it caused elsewhere. */
const maxPages = 100;

const inOrder = <Event extends { readonly position: Position }>(events: ReadonlyArray<Event>): ReadonlyArray<Event> =>
  [...events].sort((one, other) => (one.position < other.position ? -1 : 1));

/** The last event of a stream at or before a position, by binary search over revisions. */
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

const decoded = (event: StoredEvent): TE.TaskEither<UnreadableEvent, Recorded> => TE.fromEither(readEvent(event));

/** The last event of the records at or before a position. */
const lastUpTo = (
  { store }: Uses<'store'>,
  streams: ReadonlyArray<StreamEnd>,
  position: Position,
): TE.TaskEither<Failure, Recorded | null> =>
  pipe(
    TE.traverseSeqArray(({ stream, revision }: StreamEnd) => lastOfStream(store, stream, position, [0, revision]))(
      streams,
    ),
    TE.map((found) => inOrder(found.flatMap((event) => event ?? [])).at(-1) ?? null),
    TE.chainW((last) => (last === null ? TE.right(null) : decoded(last))),
  );

/** The event at a position, in a related stream; the search starts after the position `after`. */
const inRelatedStream = (
  store: EventStore,
  position: Position,
  after: Position,
  pages = maxPages,
): TE.TaskEither<Failure, Recorded | null> =>
  pipe(
    store.readAll(after, { categories: relatedCategories }, pageSize),
    TE.chainW(({ events, examined }): TE.TaskEither<Failure, Recorded | null> => {
      const found = events.find((event) => event.position === position);
      if (found !== undefined) return TE.fromEither(readEvent(found));
      return examined === null || examined >= position || pages === 0
        ? TE.right(null)
        : inRelatedStream(store, position, examined, pages - 1);
    }),
  );

/** The events of the change that an event belongs to, in log order. */
const changeOf = (
  { requestEvents, store }: Uses<'requestEvents' | 'store'>,
  streams: ReadonlyArray<StreamEnd>,
  { position, stream, revision, event_id, metadata: { correlation_id, causation_id } }: Recorded,
): TE.TaskEither<Failure | EventsNotFound, ReadonlyArray<Recorded>> =>
  pipe(
    requestEvents(
      streams.map((end) => end.stream),
      correlation_id,
    ),
    TE.map((found) => eventsOfChange({ position, stream, revision, event_id, causation_id }, inOrder(found))),
    TE.chainW(
      TE.traverseSeqArray((linked) =>
        pipe(store.read(linked.stream, linked.revision - 1, 1), TE.chainW(TE.traverseSeqArray(decoded))),
      ),
    ),
    TE.map((found) => found.flat()),
  );

const isVideoEvent = isEventOf(videoEvents);
const isAudioEvent = isEventOf(audioEvents);

/**
 * The change that contains the event at a position. `streams` are those of the requested record and of the record linked
 * with it. The position may also be that of an event that the change caused in another stream, as in `X-Event-Position`.
 * Finds the position by binary search, then reads the events of the request.
 */
export const findChange = (
  app: Uses<'requestEvents' | 'store'>,
  streams: ReadonlyArray<StreamEnd>,
  position: Position,
): TE.TaskEither<UnknownEvent | EventsNotFound | Failure, FoundChange> => {
  const unknown: UnknownEvent = { _tag: 'UnknownEvent', position };
  return pipe(
    lastUpTo(app, streams, position),
    TE.chain((last) =>
      last === null || last.position === position
        ? TE.right(last)
        : inRelatedStream(app.store, position, last.position),
    ),
    TE.chainW((event): TE.TaskEither<UnknownEvent | EventsNotFound | Failure, ReadonlyArray<Recorded>> =>
      event === null ? TE.left(unknown) : changeOf(app, streams, event),
    ),
    TE.chain((events) => {
      const [first] = events;
      const firstIn = (category: string): number =>
        events.find(({ stream }) => streamCategory(stream) === category)?.revision ?? -1;
      return first === undefined
        ? TE.left(unknown)
        : TE.right({
            change_id: first.event_id,
            video: events.map(({ event }) => event).filter(isVideoEvent),
            audio: events.map(({ event }) => event).filter(isAudioEvent),
            streams: new Set(events.map(({ stream }) => stream)),
            video_revision: firstIn('video'),
            audio_revision: firstIn('audio'),
          });
    }),
  );
};

const limit = 1_000;

/** What links a stored event to others. */
const requestEventOf = (stored: StoredEvent): E.Either<UnreadableEvent, RequestEvent> => {
  const { position, stream, revision, id: event_id } = stored;
  return pipe(
    readMetadata(stored),
    E.map(({ causation_id }) => ({ position, stream, revision, event_id, causation_id })),
  );
};

/** Finds events by the index in the read models. `upToHead` waits until this covers the whole log. */
export const indexedRequestEvents = (
  store: EventStore,
  queries: Queries,
  upToHead: TE.TaskEither<EventsNotFound, void>,
): RequestEvents => {
  const inStream =
    (request_id: string) =>
    (stream: string): ReturnType<RequestEvents> =>
    async () => {
      const found: RequestEvent[] = [];
      let cursor: string | null = null;
      do {
        const selection = { ...everyEvent, stream, request_id };
        const page: E.Either<EventsNotFound, { events: ReadonlyArray<StoredEvent>; next_cursor: string | null }> =
          await readSelection(store, queries, selection, { limit, cursor, until: null })();
        if (E.isLeft(page)) return page;
        const linked = E.traverseArray(requestEventOf)(page.right.events);
        if (E.isLeft(linked)) return linked;
        found.push(...linked.right);
        cursor = page.right.next_cursor;
      } while (cursor !== null);
      return E.right(found);
    };
  return (streams, request_id) =>
    pipe(
      upToHead,
      TE.chainW(() => TE.traverseSeqArray(inStream(request_id))(streams)),
      TE.map((found) => found.flat()),
    );
};
