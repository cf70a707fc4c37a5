import { addAbortSignal } from 'node:stream';
import {
  type AllStreamResolvedEvent,
  type Filter,
  type RecordedEvent,
  type ResolvedEvent,
  type StreamingRead,
  eventTypeFilter,
  streamNameFilter,
} from '@eventstore/db-client';
import * as E from 'fp-ts/lib/Either.js';
import { constVoid } from 'fp-ts/lib/function.js';
import type {
  EventFilter,
  EventStore,
  Page,
  StoreUnavailable,
  StoredEvent,
} from '../../../application/ports/event-store.js';
import { type Json, type Position, positionIn, streamCategory } from '../../../domain/kernel/recorded-event.js';
import type { Call, Connection } from './connection.js';
import { type CallFailure, unavailable } from './errors.js';

const digits = 20;

/**
 * A commit position (an unsigned 64-bit integer) as a text of fixed width, so that positions sort as texts in the order
 * of the log.
 */
export const toPosition = (commit: bigint): Position => String(commit).padStart(digits, '0');

const isPosition = (text: string): boolean => /^\d{20}$/.test(text);

/** The client leaves bytes where it finds no JSON. */
const isJson = (parsed: unknown): parsed is Json => parsed !== undefined && !(parsed instanceof Uint8Array);

/** An event of the port. What is not JSON becomes null: no codec reads it, and readers stop at its position. */
export const toStoredEvent = (event: RecordedEvent): StoredEvent => ({
  position: toPosition(event.position?.commit ?? 0n),
  stream: event.streamId,
  revision: Number(event.revision),
  id: event.id,
  type: event.type,
  data: isJson(event.data) ? event.data : null,
  metadata: isJson(event.metadata) ? event.metadata : null,
});

/** Excludes system events of the server; the checkpoints of this service have types of the same form. */
export const noSystemEvents = eventTypeFilter({ regex: '^[^$]', maxSearchWindow: 500 });

/** A filter that the server can apply, which may let more events pass. */
const serverFilter = ({ types, categories }: EventFilter): Filter => {
  if (types !== undefined) return eventTypeFilter({ prefixes: [...types] });
  return categories === undefined ? noSystemEvents : streamNameFilter({ prefixes: [...categories] });
};

/** Whether an event passes the filter; system events of the server never do. */
export const passes =
  ({ types, categories }: EventFilter) =>
  ({ type, stream }: Pick<StoredEvent, 'type' | 'stream'>): boolean =>
    !type.startsWith('$') && types?.includes(type) !== false && categories?.includes(streamCategory(stream)) !== false;

/** The events of a read, up to `maxBytes` of JSON (but at least one). It may still report an error after its deadline. */
const collect = async (
  stream: StreamingRead<ResolvedEvent | AllStreamResolvedEvent>,
  within_ms: number,
  maxBytes = Infinity,
): Promise<ReadonlyArray<StoredEvent>> => {
  const events: StoredEvent[] = [];
  let bytes = 0;
  const reading = addAbortSignal(AbortSignal.timeout(Math.ceil(within_ms)), stream.on('error', constVoid));
  try {
    for await (const { event } of reading) {
      if (event === undefined) continue;
      const stored = toStoredEvent(event);
      if (maxBytes < Infinity) bytes += JSON.stringify([stored.data, stored.metadata]).length;
      if (bytes > maxBytes && events.length > 0) break;
      events.push(stored);
    }
  } finally {
    stream.cancel().catch(constVoid);
  }
  return events;
};

type Answer<A> = E.Either<StoreUnavailable, A>;
type Events = ReadonlyArray<StoredEvent>;

/** Reads; nothing comes of what does not exist, by default a stream. */
const read = async (
  { call }: Connection,
  work: Call<Events>,
  missing: CallFailure['_tag'] = 'NoStream',
): Promise<Answer<Events>> => {
  const answer = await call(work);
  if (E.isRight(answer)) return answer;
  return answer.left._tag === missing ? E.right([]) : E.left(unavailable(answer.left.reason));
};

const firstOf = E.map((events: Events): StoredEvent | null => events[0] ?? null);

/** The newest event that is not a system event, in one call. */
export const probe: Call<Events> = (client, deadline) =>
  collect(client.readFiltered(noSystemEvents, 'end', 1), deadline);

/** The newest event that is not a system event. */
export const readLast = async (connection: Connection): Promise<Answer<StoredEvent | null>> =>
  firstOf(await read(connection, probe));

/** The last event of a stream. */
export const readEndOfStream = async (connection: Connection, stream: string): Promise<Answer<StoredEvent | null>> => {
  const options = { direction: 'backwards', fromRevision: 'end', maxCount: 1, requiresLeader: true } as const;
  return firstOf(await read(connection, (client, deadline) => collect(client.readStream(stream, options), deadline)));
};

/** The event at a position; null if none begins there, as where it belongs to another log. */
export const readAt = async (connection: Connection, position: Position): Promise<Answer<StoredEvent | null>> => {
  if (!isPosition(position)) return E.right(null);
  const work: Call<Events> = (client, deadline) =>
    collect(client.readFiltered(noSystemEvents, BigInt(position), 1), deadline);
  const found = await read(connection, work, 'InvalidPosition');
  return E.map((events: Events) => events.find((event) => event.position === position) ?? null)(found);
};

/** The events of a stream after a revision. */
export const readStream = (
  connection: Connection,
  stream: string,
  afterRevision: number,
  limit: number,
  maxBytes?: number,
): Promise<Answer<Events>> => {
  const options = { fromRevision: BigInt(afterRevision + 1), maxCount: limit, requiresLeader: true };
  return read(connection, (client, deadline) => collect(client.readStream(stream, options), deadline, maxBytes));
};

/** The event of a stream with a revision; null if there is none. */
export const readRevision = async (
  connection: Connection,
  stream: string,
  revision: number,
): Promise<Answer<StoredEvent | null>> => firstOf(await readStream(connection, stream, revision - 1, 1));

/** Reads the head position first: if nothing more is found, everything up to there was examined. */
const readAll = async (
  connection: Connection,
  after: Position | null,
  filter: EventFilter,
  limit: number,
): Promise<Answer<Page>> => {
  if (after !== null && !isPosition(after)) return E.left(unavailable(`"${after}" is not a position of this store`));
  const head = await readLast(connection);
  if (E.isLeft(head)) return head;
  if (head.right === null || head.right.position <= (after ?? '')) return E.right({ events: [], examined: null });
  const [onServer, wanted] = [serverFilter(filter), passes(filter)];
  const events: StoredEvent[] = [];
  let isEnd = filter.types?.length === 0 || filter.categories?.length === 0;
  for (let from = after; !isEnd && events.length < limit;) {
    const [start, count] = [BigInt(from ?? 0), limit - events.length + 1];
    const part = await read(connection, (client, deadline) =>
      collect(client.readFiltered(onServer, start, count), deadline),
    );
    if (E.isLeft(part)) return part;
    // The server includes the event at the position from which it reads.
    for (const event of part.right) if (event.position !== from && wanted(event)) events.push(event);
    isEnd = part.right.length < count;
    from = part.right.at(-1)?.position ?? from;
  }
  const found = events.slice(0, limit);
  const last = found.at(-1)?.position ?? '';
  const isAtHead = isEnd && events.length <= limit && last <= head.right.position;
  return E.right({ events: found, examined: isAtHead ? head.right.position : last });
};

/** The reading part of the port. */
export const createReader = (connection: Connection): Omit<EventStore, 'append' | 'subscribe'> => ({
  read: (stream, after, limit, mostBytes) => () => readStream(connection, stream, after, limit, mostBytes),
  readAll: (after, filter, limit) => () => readAll(connection, after, filter, limit),
  at: (position) => () => readAt(connection, position),
  head: () => async () => E.map((last: StoredEvent | null) => last?.position ?? null)(await readLast(connection)),
  positionIn: (text) => positionIn(text, digits),
});
