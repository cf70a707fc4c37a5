import {
  type AllStreamResolvedEvent,
  type RecordedEvent,
  type RegexFilter,
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
import type { Client } from './client.js';
import type { Call, Connection } from './connection.js';
import type { CallFailure } from './errors.js';

const digits = 20;

/**
 * A commit position (an unsigned 64-bit integer) as a text of fixed width, so that positions sort as texts in the order
 * of the log.
 */
export const toPosition = (commit: bigint): Position => String(commit).padStart(digits, '0');

const isPosition = (text: string): boolean => /^\d{20}$/.test(text);

/**
 * The commit position of a position; throws on a text that is not a position of this store. Events appended without an
 * explicit transaction, which gRPC does not support, have the same prepare position.
 */
export const toCommit = (position: Position): bigint => {
  if (!isPosition(position)) throw new Error(`"${position}" is not a position of this store`);
  return BigInt(position);
};

/** The client leaves bytes where it finds no JSON. */
const isJson = (parsed: unknown): parsed is Json => parsed !== undefined && !(parsed instanceof Uint8Array);

/** An event of the port. What is not JSON becomes null: no codec reads it, and readers stop at its position. */
export const toStoredEvent = ({
  position,
  streamId,
  revision,
  id,
  type,
  data,
  metadata,
}: RecordedEvent): StoredEvent => ({
  position: toPosition(position?.commit ?? 0n),
  stream: streamId,
  revision: Number(revision),
  id,
  type,
  data: isJson(data) ? data : null,
  metadata: isJson(metadata) ? metadata : null,
});

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, (sign) => `\\${sign}`);

const oneOf = (values: ReadonlyArray<string>): string => `(?:${[...new Set(values)].map(escaped).join('|')})`;

/** Excludes system events of the server; the checkpoints of this service have types of the same form. */
export const noSystemEvents = eventTypeFilter({ regex: '^[^$]', maxSearchWindow: 500 });

/**
 * The part of the filter that the server can apply, which may match more than the filter; null when nothing can match.
 */
export const serverFilter = ({ types, categories }: EventFilter): RegexFilter | null => {
  if (types?.length === 0 || categories?.length === 0) return null;
  if (types !== undefined) return eventTypeFilter({ regex: `^${oneOf(types)}$` });
  return categories === undefined ? noSystemEvents : streamNameFilter({ regex: `^${oneOf(categories)}(?:-|$)` });
};

/** Whether an event passes the filter; system events of the server never do. */
export const passes = ({
  types,
  categories,
}: EventFilter): ((event: Pick<StoredEvent, 'type' | 'stream'>) => boolean) => {
  const ofType = types === undefined ? null : new Set(types);
  const ofCategory = categories === undefined ? null : new Set(categories);
  return ({ type, stream }) =>
    !type.startsWith('$') &&
    (ofType === null || ofType.has(type)) &&
    (ofCategory === null || ofCategory.has(streamCategory(stream)));
};

/** A failed call as a failure of the port. */
export const unavailable = ({ reason }: CallFailure): StoreUnavailable => ({ _tag: 'StoreUnavailable', reason });

/** The events of a read, up to `maxBytes` of JSON (but at least one). The client gives it no deadline. */
const collect = async (
  stream: StreamingRead<ResolvedEvent | AllStreamResolvedEvent>,
  client: Client,
  within_ms: number,
  maxBytes = Infinity,
): Promise<ReadonlyArray<StoredEvent>> => {
  const events: StoredEvent[] = [];
  let bytes = 0;
  const cancel = (): void => void stream.cancel().catch(constVoid);
  const end = performance.now() + within_ms;
  const late = setTimeout(cancel, within_ms);
  try {
    for await (const { event } of stream) {
      if (event === undefined) continue;
      const stored = toStoredEvent(event);
      if (maxBytes < Infinity) bytes += JSON.stringify([stored.data, stored.metadata]).length;
      if (bytes > maxBytes && events.length > 0) break;
      events.push(stored);
    }
  } finally {
    clearTimeout(late);
    cancel();
  }
  // A cancelled read ends like a complete one.
  if (client.isReleased || performance.now() >= end) throw new Error('the read was cancelled');
  return events;
};

type Answer<A> = E.Either<StoreUnavailable, A>;
type Events = ReadonlyArray<StoredEvent>;

/** Reads; nothing comes of a stream that does not exist. The call may throw, for instance on a foreign position. */
const read = async ({ call }: Connection, work: Call<Events>): Promise<Answer<Events>> => {
  const answer = await call(work);
  if (E.isRight(answer)) return answer;
  return answer.left._tag === 'NoStream' ? E.right([]) : E.left(unavailable(answer.left));
};

const firstOf = (answer: Answer<Events>): Answer<StoredEvent | null> =>
  E.isLeft(answer) ? answer : E.right(answer.right[0] ?? null);

/** The newest event that is not a system event, in one call. */
export const probe: Call<Events> = (client, deadline) =>
  collect(client.readFiltered(noSystemEvents, { from: 'end', count: 1 }), client, deadline);

/** The newest event that is not a system event. */
export const readLast = async (connection: Connection): Promise<Answer<StoredEvent | null>> =>
  firstOf(await read(connection, probe));

const lastOne = { direction: 'backwards', maxCount: 1, requiresLeader: true } as const;

/** The last event of the log, including system events. */
export const readEnd = async (connection: Connection): Promise<Answer<StoredEvent | null>> =>
  firstOf(
    await read(connection, (client, deadline) =>
      collect(client.readAll({ ...lastOne, fromPosition: 'end' }), client, deadline),
    ),
  );

/** The last event of a stream. */
export const readEndOfStream = async (connection: Connection, stream: string): Promise<Answer<StoredEvent | null>> =>
  firstOf(
    await read(connection, (client, deadline) =>
      collect(client.readStream(stream, { ...lastOne, fromRevision: 'end' }), client, deadline),
    ),
  );

/** The event at a position; null if none begins there, as where it belongs to another log. */
export const readAt = async ({ call }: Connection, position: Position): Promise<Answer<StoredEvent | null>> => {
  if (!isPosition(position)) return E.right(null);
  const part = { from: toCommit(position), count: 1 };
  const answer = await call((client, deadline) => collect(client.readFiltered(noSystemEvents, part), client, deadline));
  if (E.isLeft(answer))
    return answer.left._tag === 'InvalidPosition' ? E.right(null) : E.left(unavailable(answer.left));
  return E.right(answer.right.find((event) => event.position === position) ?? null);
};

/** The events of a stream after a revision. */
export const readStream = (
  connection: Connection,
  stream: string,
  afterRevision: number,
  limit: number,
  maxBytes = Infinity,
): Promise<Answer<Events>> => {
  const options = { fromRevision: BigInt(afterRevision + 1), maxCount: limit, requiresLeader: true };
  return read(connection, (client, deadline) =>
    collect(client.readStream(stream, options), client, deadline, maxBytes),
  );
};

/** The next events that pass the filter; `full` if the log may contain more of them. */
const readMatching = async (
  connection: Connection,
  after: Position | null,
  filter: EventFilter,
  limit: number,
): Promise<Answer<{ readonly events: Events; readonly full: boolean }>> => {
  const onServer = serverFilter(filter);
  const events: StoredEvent[] = [];
  if (onServer === null || limit <= 0) return E.right({ events, full: limit <= 0 });
  const wanted = passes(filter);
  for (let from = after; ;) {
    // The server includes the event at the position from which it reads.
    const part = { from: from === null ? null : toCommit(from), count: limit - events.length + 1 };
    const answer = await read(connection, (client, deadline) =>
      collect(client.readFiltered(onServer, part), client, deadline),
    );
    if (E.isLeft(answer)) return answer;
    for (const event of answer.right) if (event.position !== from && wanted(event)) events.push(event);
    if (events.length >= limit) return E.right({ events: events.slice(0, limit), full: true });
    const last = answer.right.at(-1);
    if (answer.right.length < part.count || last === undefined) return E.right({ events, full: false });
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
  if (after !== null && !isPosition(after))
    return E.left({ _tag: 'StoreUnavailable', reason: `"${after}" is not a position of this store` });
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

const headOf = async (connection: Connection): Promise<Answer<Position | null>> =>
  E.map((last: StoredEvent | null) => last?.position ?? null)(await readLast(connection));

/** The reading part of the port. */
export const createReader = (connection: Connection): Omit<EventStore, 'append' | 'subscribe'> => {
  const task =
    <Given extends ReadonlyArray<unknown>, A>(work: (connection: Connection, ...given: Given) => Promise<A>) =>
    (...given: Given) =>
    () =>
      work(connection, ...given);
  return {
    read: task(readStream),
    readAll: task(readAll),
    at: task(readAt),
    head: task(headOf),
    positionIn: (text) => positionIn(text, digits),
  };
};
