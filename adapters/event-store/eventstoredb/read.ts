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
import type { Json } from '../../../domain/kernel/json.js';
import { type Position, positionIn, streamCategory } from '../../../domain/kernel/recorded-event.js';
import { TooLate } from '../../runtime/clock.js';
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

/**
 * The events of a read, which the client gives no deadline, up to `maxBytes` of JSON (but at least one). Rejects with
 * the client's error.
 */
const collect = (
  stream: StreamingRead<ResolvedEvent | AllStreamResolvedEvent>,
  client: Client,
  within_ms: number,
  maxBytes = Infinity,
): Promise<ReadonlyArray<StoredEvent>> =>
  new Promise((resolve, reject) => {
    const events: StoredEvent[] = [];
    let bytes = 0;
    const end = (settle: () => void): void => {
      clearTimeout(late);
      settle();
      stream.cancel().catch(constVoid);
    };
    const late = setTimeout(
      () => end(() => reject(new TooLate(`no answer within ${Math.round(within_ms)} ms`))),
      within_ms,
    );
    stream.on('data', ({ event }) => {
      if (event === undefined) return;
      const stored = toStoredEvent(event);
      if (maxBytes < Infinity) bytes += JSON.stringify([stored.data, stored.metadata]).length;
      if (bytes > maxBytes && events.length > 0) end(() => resolve(events));
      else events.push(stored);
    });
    stream.on('error', (error) => end(() => reject(error)));
    stream.on('end', () =>
      end(() => (client.isReleased ? reject(new Error('the connection was closed')) : resolve(events))),
    );
  });

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

/** The last event of the log, including system events. */
export const readEnd = async (connection: Connection): Promise<Answer<StoredEvent | null>> =>
  firstOf(
    await read(connection, (client, deadline) => {
      const options = { fromPosition: 'end', direction: 'backwards', maxCount: 1, requiresLeader: true } as const;
      return collect(client.readAll(options), client, deadline);
    }),
  );

/** The last event of a stream. */
export const readEndOfStream = async (connection: Connection, stream: string): Promise<Answer<StoredEvent | null>> =>
  firstOf(
    await read(connection, (client, deadline) => {
      const options = { fromRevision: 'end', direction: 'backwards', maxCount: 1, requiresLeader: true } as const;
      return collect(client.readStream(stream, options), client, deadline);
    }),
  );

/**
 * Whether the log still contains an event at the position where it was read. A position where no event begins belongs
 * to another log.
 */
export const holdsEvent = async (
  { call }: Connection,
  { position, id }: Pick<StoredEvent, 'position' | 'id'>,
): Promise<Answer<boolean>> => {
  if (!isPosition(position)) return E.right(false);
  const part = { from: toCommit(position), count: 1 };
  const answer = await call((client, deadline) => collect(client.readFiltered(noSystemEvents, part), client, deadline));
  if (E.isLeft(answer))
    return answer.left._tag === 'InvalidPosition' ? E.right(false) : E.left(unavailable(answer.left));
  return E.right(answer.right.some((event) => event.position === position && event.id === id));
};

/** How many events are requested at once, so that each answer arrives within its deadline. */
const portion = 4_000;

/** The events of a stream after a revision. */
export const readStream = async (
  connection: Connection,
  stream: string,
  afterRevision: number,
  limit: number,
  maxBytes = Infinity,
): Promise<Answer<Events>> => {
  const events: StoredEvent[] = [];
  for (let after = afterRevision; events.length < limit;) {
    const maxCount = Math.min(portion, limit - events.length);
    const options = { fromRevision: BigInt(after + 1), maxCount, requiresLeader: true };
    const answer = await read(connection, (client, deadline) =>
      collect(client.readStream(stream, options), client, deadline, maxBytes),
    );
    if (E.isLeft(answer)) return answer;
    events.push(...answer.right);
    // With a limit of bytes, a second portion could exceed it.
    if (answer.right.length < maxCount || maxBytes < Infinity) break;
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
): Promise<Answer<{ readonly events: Events; readonly full: boolean }>> => {
  const onServer = serverFilter(filter);
  const events: StoredEvent[] = [];
  if (onServer === null || limit <= 0) return E.right({ events, full: limit <= 0 });
  const wanted = passes(filter);
  for (let from = after; ;) {
    // The server includes the event at the position from which it reads.
    const part = { from: from === null ? null : toCommit(from), count: Math.min(portion, limit - events.length) + 1 };
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

/** The reading part of the port. */
export const createReader = (connection: Connection): Omit<EventStore, 'append' | 'subscribe'> => ({
  read:
    (...wanted) =>
    () =>
      readStream(connection, ...wanted),
  readAll:
    (...wanted) =>
    () =>
      readAll(connection, ...wanted),
  positionIn: (text) => positionIn(text, digits),
  holds: (event) => () => holdsEvent(connection, event),
  head: () => async () => {
    const last = await readLast(connection);
    return E.isLeft(last) ? last : E.right(last.right?.position ?? null);
  },
});
