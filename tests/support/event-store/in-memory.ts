import { EventEmitter, once } from 'node:events';
import * as E from 'fp-ts/lib/Either.js';
import { constVoid } from 'fp-ts/lib/function.js';
import type {
  AppendFailure,
  Appended,
  EventFilter,
  EventStore,
  ExpectedRevision,
  NewEvent,
  Page,
  StoredEvent,
  StoreUnavailable,
} from '../../../application/ports/event-store.js';
import { firstRevision, hashedEvents } from '../../../adapters/event-store/new-events.js';
import { hashOf } from '../../../projections/audit/event-hash.js';
import { JsonObject, positionIn, streamCategory } from '../../../domain/kernel/recorded-event.js';
import { countFitting } from '../../../adapters/runtime/memory.js';
import type { OpenedStore } from '../contracts/event-store-contract.js';

const positionOf = (index: number): string => String(index + 1).padStart(16, '0');
const indexAfter = (position: string | null): number => (position === null ? 0 : Number(position));

const passes = ({ stream, type }: StoredEvent, { categories, types }: EventFilter): boolean =>
  categories?.includes(streamCategory(stream)) !== false && types?.includes(type) !== false;

const unavailable = (reason: string): StoreUnavailable => ({ _tag: 'StoreUnavailable', reason });

/** JSON as it is read again from the text in a real log. */
const parsed = (text: string): JsonObject => {
  const json: unknown = JSON.parse(text);
  if (JsonObject.is(json)) return json;
  throw new TypeError('no JSON object');
};

interface Log {
  readonly rows: StoredEvent[];
  readonly streams: Map<string, ReadonlyArray<StoredEvent>>;
  /** Null: ids may repeat, as in an EventStoreDB server. */
  readonly ids: Set<string> | null;
}

const append = (
  { rows, streams, ids }: Log,
  stream: string,
  expected: ExpectedRevision,
  events: ReadonlyArray<NewEvent>,
): E.Either<AppendFailure, Appended> => {
  const known = streams.get(stream) ?? [];
  const first = firstRevision(expected);
  const earlier = known.slice(first, first + events.length);
  const last = earlier.at(-1);
  if (events.length === 0) return E.left(unavailable('an append needs at least one event'));
  if (last !== undefined && events.every(({ id }, index) => earlier[index]?.id === id))
    return E.right({ revision: last.revision, position: last.position });
  const repeatsIds = ids !== null && new Set([...ids, ...events.map(({ id }) => id)]).size < ids.size + events.length;
  const end = known.at(-1);
  if (first !== known.length || repeatsIds)
    return E.left({ _tag: 'RevisionConflict', stream, expected, actual: end?.revision ?? 'no_stream' });
  const hashed = hashedEvents({ stream, expected, events }, end === undefined ? null : hashOf(end));
  const added = hashed.map(({ id, type, dataText, metadataText }, index): StoredEvent => ({
    position: positionOf(rows.length + index),
    stream,
    revision: first + index,
    id,
    type,
    data: parsed(dataText),
    metadata: parsed(metadataText),
  }));
  rows.push(...added);
  streams.set(stream, [...known, ...added]);
  events.forEach(({ id }) => ids?.add(id));
  return E.right({ revision: first + events.length - 1, position: positionOf(rows.length - 1) });
};

const readAll = ({ rows }: Log, after: string | null, filter: EventFilter, limit: number): Page => {
  const events: StoredEvent[] = [];
  let index = indexAfter(after);
  for (; index < rows.length && events.length < limit; index += 1) {
    const row = rows[index];
    if (row !== undefined && passes(row, filter)) events.push(row);
  }
  return { events, examined: index > indexAfter(after) ? positionOf(index - 1) : null };
};

/**
 * An event log in memory, quick enough for thousands of sequences; the contract suite holds it to the port. Unless it
 * is to refuse ids that it holds, it stores them once more at the end of a stream, as a server of EventStoreDB does:
 * nothing that runs on it may rely on their refusal.
 */
export const openInMemory = async ({ refusesKnownIds = false } = {}): Promise<OpenedStore> => {
  const log: Log = { rows: [], streams: new Map(), ids: refusesKnownIds ? new Set() : null };
  const appended = new EventEmitter().setMaxListeners(0);
  const running = new Map<AbortController, Promise<void>>();
  let closed = false;
  const whenOpen =
    <F, A>(work: () => E.Either<F | StoreUnavailable, A>) =>
    async (): Promise<E.Either<F | StoreUnavailable, A>> =>
      closed ? E.left(unavailable('closed')) : work();
  /** Reads page after page at the pace of the handler, and waits at the end of the log. */
  const subscribe: EventStore['subscribe'] = (start, filter, { onPage, onCaughtUp, onFailure }) => {
    const closing = new AbortController();
    const { signal } = closing;
    const run = async (): Promise<void> => {
      await Promise.resolve();
      for (let after = start; !signal.aborted;) {
        if (closed) throw unavailable('closed');
        const page = readAll(log, after, filter, 100);
        if (page.examined !== null) await onPage(page);
        else {
          onCaughtUp?.();
          await once(appended, 'appended', { signal }).catch(constVoid);
        }
        after = page.examined ?? after;
      }
    };
    const ended = run().catch((failure: unknown) => {
      if (!signal.aborted) onFailure(failure);
      closing.abort();
    });
    running.set(closing, ended);
    return {
      close: () => {
        closing.abort();
        return ended;
      },
    };
  };
  const store: EventStore = {
    append: (...given) =>
      whenOpen(() => {
        const outcome = append(log, ...given);
        if (E.isRight(outcome)) appended.emit('appended');
        return outcome;
      }),
    read: (stream, after, limit, mostBytes = Infinity) =>
      whenOpen(() => {
        const rows = (log.streams.get(stream) ?? []).slice(after + 1, after + 1 + limit);
        if (mostBytes === Infinity) return E.right(rows);
        const sizes = rows.map(({ data, metadata }) => JSON.stringify([data, metadata]).length);
        return E.right(rows.slice(0, countFitting(sizes, mostBytes)));
      }),
    readAll: (...given) => whenOpen(() => E.right(readAll(log, ...given))),
    subscribe,
    positionIn: (text) => positionIn(text, 16),
    at: (position) =>
      whenOpen(() => {
        const row = log.rows[indexAfter(position) - 1];
        return E.right(row?.position === position ? row : null);
      }),
    head: () => whenOpen(() => E.right(log.rows.at(-1)?.position ?? null)),
  };
  return {
    store,
    close: async () => {
      running.forEach((_, closing) => closing.abort());
      await Promise.all(running.values());
      closed = true;
    },
  };
};
