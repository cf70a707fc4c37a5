import type { Tagged } from '../../../domain/kernel/decider.js';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { RevertAudioChange } from '../../../domain/audio/contract.js';
import { audioEvents } from '../../../domain/audio/events.js';
import {
  type IrreversibleAudioChange,
  audioChangesOf,
  irreversibleAudioChange,
} from '../../../domain/audio/reversible-changes.js';
import type { DomainEvent } from '../../../domain/event-catalogue.js';
import { type Position, type RecordedEvent, isEventOf, streamCategory } from '../../../domain/kernel/recorded-event.js';
import type { RevertVideoChange } from '../../../domain/video/contract.js';
import { videoEvents } from '../../../domain/video/events.js';
import {
  type IrreversibleVideoChange,
  irreversibleVideoChange,
  runOf,
  videoChangesOf,
} from '../../../domain/video/reversible-changes.js';
import { everyEvent } from '../../../projections/event-selection.js';
import type { Queries } from '../../../projections/queries.js';
import type { Uses, EventsNotFound, RequestEvent, RequestEvents } from '../../application.js';
import { readEvent, readMetadata } from '../../commands/read-event.js';
import type { Failure, UnreadableEvent } from '../../failures.js';
import type { EventStore, StoredEvent } from '../../ports/event-store.js';
import { readSelection } from '../../queries/events.js';

const linksOf = ({ event_id, causation_id }: RequestEvent) => [event_id, causation_id];

/** The events that are transitively linked to an event: one caused the other, or both have the same cause. */
const linkedTo = (event: RequestEvent, all: ReadonlyArray<RequestEvent>): ReadonlyArray<RequestEvent> => {
  const known = new Set(linksOf(event));
  const isLinked = (other: RequestEvent): boolean => linksOf(other).some((id) => known.has(id));
  for (let size = 0; known.size > size;) {
    ({ size } = known);
    all.filter(isLinked).forEach((other) => linksOf(other).forEach((id) => known.add(id)));
  }
  return all.filter(isLinked);
};

/**
 * The events of the change that an event belongs to, by their causes: request ids alone may repeat. `all` are in log order.
 * An event of another stream without a link belongs to the last change before it with its request id.
 */
const eventsOfChange = (event: RequestEvent, all: ReadonlyArray<RequestEvent>): ReadonlyArray<RequestEvent> => {
  const linked = linkedTo(event, all);
  const last = all.findLast(({ position }) => position < event.position);
  return linked.length > 0 || last === undefined ? linked : linkedTo(last, all);
};

type Recorded = RecordedEvent<DomainEvent>;

/** No change of this record has this position. */
export type UnknownEvent = Tagged<'UnknownEvent', { position: Position }>;

/** One change of a video and its audio. */
export interface FoundChange {
  /** The position that was asked for. */
  readonly position: Position;
  /** The id of the first event of the change. */
  readonly change_id: string;
  /** Why it cannot be undone; null if it can. */
  readonly irreversible: IrreversibleVideoChange | IrreversibleAudioChange | null;
  /** The streams of the records that were changed. */
  readonly streams: ReadonlySet<string>;
  /** What was changed of each record. The revisions are those of the first events; -1 if there is none. */
  readonly video: Pick<RevertVideoChange, 'changes' | 'revision' | 'run_id'>;
  readonly audio: Pick<RevertAudioChange, 'changes' | 'revision'>;
}

/** Categories of streams in which a change of a record can cause events. */
const relatedCategories: ReadonlySet<string> = new Set([
  'matchRun',
  'creditAccount',
  'nameInference',
  'idempotencyKey',
]);

/** What links a stored event to others. */
const requestEventOf = (stored: StoredEvent): E.Either<UnreadableEvent, RequestEvent> => {
  const { position, stream, revision, id: event_id } = stored;
  return pipe(
    readMetadata(stored),
    E.map(({ correlation_id, causation_id }) => ({
      position,
      stream,
      revision,
      event_id,
      correlation_id,
      causation_id,
    })),
  );
};

/** The events of the change that an event belongs to, in log order. */
const changeOf = (
  { requestEvents, store }: Uses<'requestEvents' | 'store'>,
  streams: ReadonlyArray<string>,
  stored: StoredEvent,
): TE.TaskEither<Failure | EventsNotFound, ReadonlyArray<Recorded>> =>
  pipe(
    TE.fromEither(requestEventOf(stored)),
    TE.bindTo('event'),
    TE.bindW('all', ({ event }) => requestEvents(streams, event.correlation_id)),
    TE.map(({ event, all }) =>
      eventsOfChange(
        event,
        all.toSorted((one, other) => (one.position < other.position ? -1 : 1)),
      ),
    ),
    TE.chainW(TE.traverseSeqArray((linked) => store.read(linked.stream, linked.revision - 1, 1))),
    TE.chainEitherKW((read) => E.traverseArray(readEvent)(read.flat())),
  );

const isVideoEvent = isEventOf(videoEvents);
const isAudioEvent = isEventOf(audioEvents);

/** Events that only accompany a change that can be undone. */
const companions: ReadonlySet<FoundChange['irreversible']> = new Set(['trigger', 'suggestions', 'failed_run']);

const foundChange = (position: Position, change_id: string, recorded: ReadonlyArray<Recorded>): FoundChange => {
  const events = recorded.map(({ event }) => event);
  const [video, audio] = [events.filter(isVideoEvent), events.filter(isAudioEvent)];
  const reasons = [...video.map(irreversibleVideoChange), ...audio.map(irreversibleAudioChange)];
  const decisive = reasons.find((reason) => reason !== null && !companions.has(reason));
  const revisionIn = (category: string): number =>
    recorded.find(({ stream }) => streamCategory(stream) === category)?.revision ?? -1;
  return {
    position,
    change_id,
    irreversible: decisive ?? (reasons.includes(null) ? null : (reasons[0] ?? null)),
    streams: new Set(recorded.map(({ stream }) => stream)),
    video: { changes: videoChangesOf(video), revision: revisionIn('video'), run_id: runOf(video) },
    audio: { changes: audioChangesOf(audio), revision: revisionIn('audio') },
  };
};

/**
 * The change of a record that contains the event at a position. `linked`: the stream of the record that is linked with it.
 * The position may also be that of an event that the change caused in another stream, as in `X-Event-Position`.
 */
export const findChange = (
  app: Uses<'requestEvents' | 'store'>,
  stream: string,
  linked: string | null,
  position: Position,
): TE.TaskEither<UnknownEvent | EventsNotFound | Failure, FoundChange> => {
  const streams = linked === null ? [stream] : [stream, linked];
  return pipe(
    app.store.at(position),
    TE.chainW((stored) =>
      stored !== null && (streams.includes(stored.stream) || relatedCategories.has(streamCategory(stored.stream)))
        ? changeOf(app, streams, stored)
        : TE.right([]),
    ),
    TE.chainW(([...events]) => {
      const [first] = events;
      return first !== undefined && events.some((event) => event.stream === stream)
        ? TE.right(foundChange(position, first.event_id, events))
        : TE.left<UnknownEvent>({ _tag: 'UnknownEvent', position });
    }),
  );
};

/** Finds events by the index in the read models. `upToHead` waits until this covers the whole log. */
export const indexedRequestEvents = (
  store: EventStore,
  queries: Queries,
  upToHead: TE.TaskEither<EventsNotFound, void>,
): RequestEvents => {
  const inStream = (stream: string, request_id: string, cursor: string | null): ReturnType<RequestEvents> =>
    pipe(
      readSelection(store, queries, { ...everyEvent, stream, request_id }, { limit: 1_000, cursor, until: null }),
      TE.chainW(({ events, next_cursor }) =>
        pipe(
          TE.fromEither(E.traverseArray(requestEventOf)(events)),
          TE.chainW((found) =>
            next_cursor === null
              ? TE.right(found)
              : pipe(
                  inStream(stream, request_id, next_cursor),
                  TE.map((more) => [...found, ...more]),
                ),
          ),
        ),
      ),
    );
  return (streams, request_id) =>
    pipe(
      upToHead,
      TE.chainW(() => TE.traverseSeqArray((stream: string) => inStream(stream, request_id, null))(streams)),
      TE.map((found) => found.flat()),
    );
};
