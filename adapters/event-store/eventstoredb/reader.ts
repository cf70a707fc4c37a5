import * as E from 'fp-ts/lib/Either.js';
import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import type {
  EventFilter,
  EventStore,
  Page,
  StoreUnavailable,
  StoredEvent,
} from '../../../application/ports/event-store.js';
import { reasonOf } from '../../../application/failures.js';
import type { Position } from '../../../domain/kernel/recorded-event.js';
import type { CallFailure } from './call-failure.js';
import type { Connection } from './connection.js';
import { passes, serverFilter } from './filter.js';
import { isPosition, positionIn, toCommit } from './position.js';
import { readEvents } from './read-messages.js';
import { noSystemEvents, readAllRequest, readEndRequest, readLastRequest, readStreamRequest } from './requests.js';
import type { ReceivedEvent } from './read-response.js';
import { toStoredEvent } from './stored-event.js';

type Answer<A> = E.Either<StoreUnavailable, A>;

/** A failed call as a failure of the port. */
export const unavailable = (failure: CallFailure): StoreUnavailable => ({
  _tag: 'StoreUnavailable',
  reason: reasonOf(failure),
});

/** How many events are requested at once, so that each answer arrives within its deadline. */
const portion = 4_000;

/** An event and its approximate size in memory. */
interface Sized {
  readonly event: StoredEvent;
  readonly size: number;
}

const sized = (received: ReceivedEvent): Sized => ({ event: toStoredEvent(received), size: received.size });

/** Reads with a request whose creation may throw, for instance on a position of another store. */
const askFor = async <Event>(
  { call }: Connection,
  request: () => ReadReq,
  make: (received: ReceivedEvent) => Event,
): Promise<Answer<ReadonlyArray<Event>>> => {
  const answer = await call(async (client, deadline) => readEvents(client, request(), deadline, make));
  if (E.isRight(answer)) return answer;
  return answer.left._tag === 'NoStream' ? E.right([]) : E.left(unavailable(answer.left));
};

const ask = (connection: Connection, request: () => ReadReq): Promise<Answer<ReadonlyArray<StoredEvent>>> =>
  askFor(connection, request, toStoredEvent);

const readOne = async (connection: Connection, request: () => ReadReq): Promise<Answer<StoredEvent | null>> => {
  const answer = await ask(connection, request);
  return E.isLeft(answer) ? answer : E.right(answer.right[0] ?? null);
};

/** The newest event that is not a system event. */
export const readLast = (connection: Connection): Promise<Answer<StoredEvent | null>> =>
  readOne(connection, readLastRequest);

/** The last event of the log, including system events. */
export const readEnd = (connection: Connection): Promise<Answer<StoredEvent | null>> =>
  readOne(connection, readEndRequest);

/**
 * Whether the log still contains an event at the position where it was read. A position where no event begins belongs
 * to another log.
 */
export const holdsEvent = async (
  connection: Connection,
  { position, id }: Pick<StoredEvent, 'position' | 'id'>,
): Promise<Answer<boolean>> => {
  if (!isPosition(position)) return E.right(false);
  const request = readAllRequest(position, noSystemEvents, 1);
  const answer = await connection.call((client, deadline) => readEvents(client, request, deadline, toStoredEvent));
  if (E.isLeft(answer))
    return answer.left._tag === 'InvalidPosition' ? E.right(false) : E.left(unavailable(answer.left));
  return E.right(answer.right.some((event) => event.position === position && event.id === id));
};

/** How many events are requested first when bytes are limited: each has up to 1 MiB. */
const firstPortion = 16;

/** How many events to request next in order to reach `maxBytes`. */
const nextPortion = (events: number, bytes: number, maxBytes: number): number => {
  if (maxBytes === Infinity) return portion;
  if (events === 0) return firstPortion;
  return Math.min(portion, Math.max(1, Math.ceil(((maxBytes - bytes) * events) / Math.max(1, bytes))));
};

const readStream = async (
  connection: Connection,
  stream: string,
  afterRevision: number,
  limit: number,
  maxBytes: number,
): Promise<Answer<ReadonlyArray<StoredEvent>>> => {
  const events: StoredEvent[] = [];
  let bytes = 0;
  for (let after = afterRevision; events.length < limit;) {
    const count = Math.min(nextPortion(events.length, bytes, maxBytes), limit - events.length);
    const from = after + 1;
    const answer = await askFor(connection, () => readStreamRequest(stream, from, count), sized);
    if (E.isLeft(answer)) return answer;
    for (const { event, size } of answer.right) {
      bytes += size;
      if (bytes > maxBytes && events.length > 0) return E.right(events);
      events.push(event);
    }
    if (answer.right.length < count) break;
    after = events.at(-1)?.revision ?? after;
  }
  return E.right(events);
};

/** The next events that pass the filter; `full` if the log may contain more of them. */
const readMatching = async (
  connection: Connection,
  after: Position | null,
  filter: EventFilter,
  limit: number,
): Promise<Answer<{ readonly events: ReadonlyArray<StoredEvent>; readonly full: boolean }>> => {
  const onServer = serverFilter(filter);
  const events: StoredEvent[] = [];
  if (onServer === null || limit <= 0) return E.right({ events, full: limit <= 0 });
  const wanted = passes(filter);
  for (let from = after; ;) {
    const start = from;
    const count = Math.min(portion, limit - events.length) + 1;
    const answer = await ask(connection, () => readAllRequest(start, onServer, count));
    if (E.isLeft(answer)) return answer;
    events.push(...answer.right.filter((event) => event.position !== start && wanted(event)));
    if (events.length >= limit) return E.right({ events: events.slice(0, limit), full: true });
    const last = answer.right.at(-1);
    if (answer.right.length < count || last === undefined) return E.right({ events, full: false });
    from = last.position;
  }
};

/** Reads the head position first: if nothing more is found, everything up to there was examined. */
const readAll = async (
  connection: Connection,
  after: Position | null,
  filter: EventFilter,
  limit: number,
): Promise<Answer<Page>> => {
  if (after !== null) toCommit(after);
  const head = await readLast(connection);
  if (E.isLeft(head)) return head;
  if (head.right === null || head.right.position <= (after ?? '')) return E.right({ events: [], examined: null });
  const found = await readMatching(connection, after, filter, limit);
  if (E.isLeft(found)) return found;
  const { events, full } = found.right;
  const last = events.at(-1)?.position ?? after ?? '';
  const examined = full || last > head.right.position ? last : head.right.position;
  return E.right({ events, examined: examined === '' || examined === after ? null : examined });
};

/** The reading part of the port. */
export const createReader = (connection: Connection): Omit<EventStore, 'append' | 'subscribe'> => ({
  read:
    (stream, afterRevision, limit, maxBytes = Infinity) =>
    () =>
      readStream(connection, stream, afterRevision, limit, maxBytes),
  readAll: (after, filter, limit) => () =>
    readAll(connection, after, filter, limit).catch((error: unknown) =>
      E.left({ _tag: 'StoreUnavailable', reason: error instanceof Error ? error.message : String(error) }),
    ),
  positionIn,
  holds: (event) => () => holdsEvent(connection, event),
  head: () => async () => {
    const last = await readLast(connection);
    return E.isLeft(last) ? last : E.right(last.right?.position ?? null);
  },
});
