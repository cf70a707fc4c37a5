import { EventEmitter, once } from 'node:events';
import * as E from 'fp-ts/lib/Either.js';
import type {
  Appended,
  EventFilter,
  EventStore,
  ExpectedRevision,
  NewEvent,
  Page,
  RevisionConflict,
  StoredEvent,
  StoreUnavailable,
  Subscription,
  SubscriptionHandlers,
} from '../../../application/ports/event-store.js';
import { hashedEvents } from '../../../adapters/event-store/new-events.js';
import { hashOf } from '../../../projections/audit/event-hash.js';
import { positionIn, JsonObject } from '../../../domain/kernel/recorded-event.js';
import { countFitting } from '../../../adapters/runtime/memory.js';
import type { OpenedStore } from '../contracts/event-store-contract.js';

/** An event whose data is stored as text, as in a real log. */
interface Row {
  readonly event: Omit<StoredEvent, 'data' | 'metadata'>;
  readonly data: string;
  readonly metadata: string;
}

const parsed = (text: string): JsonObject => {
  const json: unknown = JSON.parse(text);
  if (JsonObject.is(json)) return json;
  throw new TypeError('no JSON object');
};

const toStored = ({ event, data, metadata }: Row): StoredEvent => ({
  ...event,
  data: parsed(data),
  metadata: parsed(metadata),
});

const positionOf = (index: number): string => String(index + 1).padStart(16, '0');
const indexAfter = (position: string | null): number => (position === null ? 0 : Number(position));

const passes = ({ event }: Row, { categories, types }: EventFilter): boolean =>
  (categories === undefined || categories.includes(event.stream.split('-')[0] ?? '')) &&
  (types === undefined || types.includes(event.type));

const unavailable = (reason: string): E.Either<StoreUnavailable, never> => E.left({ _tag: 'StoreUnavailable', reason });

interface Log {
  readonly rows: Row[];
  readonly streams: Map<string, Row[]>;
  /** Null: ids may repeat, as in an EventStoreDB server. */
  readonly ids: Set<string> | null;
}

const append = (
  { rows, streams, ids }: Log,
  stream: string,
  expected: ExpectedRevision,
  events: ReadonlyArray<NewEvent>,
): E.Either<RevisionConflict | StoreUnavailable, Appended> => {
  const known = streams.get(stream) ?? [];
  const first = expected === 'no_stream' ? 0 : expected + 1;
  const earlier = known.slice(first, first + events.length);
  const last = earlier.at(-1);
  if (events.length === 0) return unavailable('an append needs at least one event');
  if (last !== undefined && events.every(({ id }, index) => earlier[index]?.event.id === id))
    return E.right({ revision: last.event.revision, position: last.event.position });
  const repeatsIds = ids !== null && new Set([...ids, ...events.map(({ id }) => id)]).size < ids.size + events.length;
  if (first !== known.length || repeatsIds) {
    const actual = known.length === 0 ? 'no_stream' : known.length - 1;
    return E.left({ _tag: 'RevisionConflict', stream, expected, actual });
  }
  const end = known.at(-1);
  const hashed = hashedEvents({ stream, expected, events }, end === undefined ? null : hashOf(toStored(end)));
  const added = hashed.map(({ id, type, dataText, metadataText }, index): Row => ({
    event: { position: positionOf(rows.length + index), stream, revision: first + index, id, type },
    data: dataText,
    metadata: metadataText,
  }));
  rows.push(...added);
  streams.set(stream, [...known, ...added]);
  events.forEach(({ id }) => ids?.add(id));
  return E.right({ revision: first + events.length - 1, position: positionOf(rows.length - 1) });
};

const readAll = ({ rows }: Log, after: string | null, filter: EventFilter, limit: number) => {
  const events: StoredEvent[] = [];
  let index = indexAfter(after);
  for (; index < rows.length && events.length < limit; index += 1) {
    const row = rows[index];
    if (row !== undefined && passes(row, filter)) events.push(toStored(row));
  }
  return { events, examined: index > indexAfter(after) ? positionOf(index - 1) : null };
};

/** Reads page after page at its own pace, and waits for `changed` at the end of the log. */
const subscribed = (
  read: (after: string | null) => Page,
  start: string | null,
  { onPage, onCaughtUp, onFailure }: SubscriptionHandlers,
  changed: (ended: AbortSignal) => Promise<unknown>,
): Subscription => {
  const closing = new AbortController();
  const run = async (): Promise<void> => {
    await Promise.resolve();
    for (let after = start; !closing.signal.aborted;) {
      const page = read(after);
      if (page.examined !== null) await onPage(page);
      else {
        onCaughtUp?.();
        await changed(closing.signal);
      }
      after = page.examined ?? after;
    }
  };
  const running = run().catch((failure: unknown) => {
    if (!closing.signal.aborted) onFailure(failure);
    closing.abort();
  });
  return {
    close: () => {
      closing.abort();
      return running;
    },
  };
};

/**
 * An event log in memory, quick enough for thousands of sequences; the contract suite holds it to the port. Unless it
 * is to refuse ids that it holds, it stores them once more at the end of a stream, as a server of EventStoreDB does:
 * nothing that runs on it may rely on their refusal.
 */
export const openInMemory = async ({ refusesKnownIds = false } = {}): Promise<OpenedStore> => {
  const log: Log = { rows: [], streams: new Map(), ids: refusesKnownIds ? new Set() : null };
  const appended = new EventEmitter().setMaxListeners(0);
  const subscriptions = new Set<Subscription>();
  let closed = false;
  const whenOpen =
    <F, A>(work: () => E.Either<F | StoreUnavailable, A>) =>
    async (): Promise<E.Either<F | StoreUnavailable, A>> =>
      closed ? unavailable('closed') : work();
  const store: EventStore = {
    append: (stream, expected, events) =>
      whenOpen<RevisionConflict, Appended>(() => {
        const outcome = append(log, stream, expected, events);
        if (E.isRight(outcome)) appended.emit('appended');
        return outcome;
      }),
    read: (stream, after, limit, mostBytes = Infinity) =>
      whenOpen(() => {
        const rows = (log.streams.get(stream) ?? []).slice(after + 1, after + 1 + limit);
        const sizes = rows.map(({ data, metadata }) => data.length + metadata.length);
        return E.right(rows.slice(0, countFitting(sizes, mostBytes)).map(toStored));
      }),
    readAll: (after, filter, limit) => whenOpen(() => E.right(readAll(log, after, filter, limit))),
    subscribe: (after, filter, handlers) => {
      if (closed) {
        queueMicrotask(() => handlers.onFailure({ _tag: 'StoreUnavailable', reason: 'closed' }));
        return { close: () => Promise.resolve() };
      }
      const read = (position: string | null) => readAll(log, position, filter, 100);
      const subscription = subscribed(read, after, handlers, (signal) =>
        once(appended, 'appended', { signal }).catch(() => undefined),
      );
      subscriptions.add(subscription);
      return subscription;
    },
    positionIn: (text) => positionIn(text, 16),
    at: (position) =>
      whenOpen(() => {
        const index = indexAfter(position) - 1;
        const row = positionOf(index) === position ? log.rows[index] : undefined;
        return E.right(row === undefined ? null : toStored(row));
      }),
    head: () => whenOpen(() => E.right(log.rows.length === 0 ? null : positionOf(log.rows.length - 1))),
  };
  return {
    store,
    close: async () => {
      await Promise.all([...subscriptions].map((subscription) => subscription.close()));
      closed = true;
    },
  };
};
