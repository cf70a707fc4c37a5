import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { inspect } from 'node:util';
import * as E from 'fp-ts/lib/Either.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import { constVoid, constFalse } from 'fp-ts/lib/function.js';
import { firstRevision, hashedEvents } from '../../../adapters/event-store/new-events.js';
import { openSqliteEventStore, type SqliteEventStore } from '../../../adapters/event-store/sqlite/open.js';
import { countFitting } from '../../../adapters/runtime/memory.js';
import type {
  Checkpoints,
  EventStore,
  NewEvent,
  StoredEvent,
  AppendFailure,
  Appended,
  EventFilter,
  ExpectedRevision,
  Page,
  StoreUnavailable,
  Subscription,
} from '../../../application/ports/event-store.js';
import type { Log } from '../../../application/ports/log.js';
import { subjectsOf } from '../../../domain/event-catalogue.js';
import { JsonObject, positionIn, streamCategory } from '../../../domain/kernel/recorded-event.js';
import { hashOf } from '../../../projections/audit/event-hash.js';

/** Runs a task that must succeed and returns its value. */
export const succeeded = async <A>(work: TaskEither<unknown, A>): Promise<A> => {
  const outcome = await work();
  if (E.isLeft(outcome)) throw new Error(`failed: ${inspect(outcome.left)}`);
  return outcome.right;
};

/** Runs a task that must fail and returns its failure. */
export const failed = async <F>(work: TaskEither<F, unknown>): Promise<F> => {
  const outcome = await work();
  if (E.isRight(outcome)) throw new Error(`succeeded: ${JSON.stringify(outcome.right)}`);
  return outcome.left;
};

/** Resolves once the condition holds; rejects if that takes too long. */
export const until = async (
  what: string,
  holds: () => boolean | Promise<boolean>,
  milliseconds = 30_000,
): Promise<void> => {
  const end = performance.now() + milliseconds;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`not within ${milliseconds} ms: ${what}`);
    await setTimeout(2);
  }
};

/** An event with an id of its own. */
export const newEvent = (parts: Partial<NewEvent> = {}): NewEvent => ({
  id: randomUUID(),
  type: 'SomethingHappened.v1',
  data: { note: 'something' },
  metadata: { recorded_at: '2024-01-01T00:00:00.000Z' },
  ...parts,
});

/** Several of them, numbered in their data. */
export const newEvents = (count: number, parts: Partial<NewEvent> = {}): ReadonlyArray<NewEvent> =>
  Array.from({ length: count }, (_, number) => newEvent({ data: { number }, ...parts }));

/** A category that no other test uses, so that a store may be shared. */
export const freshCategory = (): string => `test${randomUUID().replaceAll('-', '')}`;

/** A stream that no other test uses. */
export const freshStream = (category: string = freshCategory()): string => `${category}-${randomUUID()}`;

/** The ids of events, in their order. */
export const idsOf = (events: ReadonlyArray<{ readonly id: string }>): ReadonlyArray<string> =>
  events.map(({ id }) => id);

/** Events with the subjects of their personal data, which follow from the stream. */
export const ofSubjects = (stream: string, events: ReadonlyArray<NewEvent>): ReadonlyArray<NewEvent> =>
  events.map((event) => ({ ...event, subjects: subjectsOf(event.type, stream, []) }));

/** Appends an event of another log. */
export const appendCopy = async (store: EventStore, event: StoredEvent): Promise<void> => {
  const { id, type, data, metadata, stream, revision } = event;
  if (!JsonObject.is(data) || !JsonObject.is(metadata)) throw new Error(`${type} is no object`);
  await succeeded(store.append(stream, revision === 0 ? 'no_stream' : revision - 1, [{ id, type, data, metadata }]));
};

export const silentLog: Log = { info: constVoid, warn: constVoid, error: constVoid };

interface RecordingLog {
  readonly log: Log;
  /** The lines, each with its level and, where it has one, its reason. */
  readonly lines: ReadonlyArray<string>;
}

/** A log that keeps its lines in memory. */
export const recordingLog = (): RecordingLog => {
  const lines: string[] = [];
  const line =
    (level: string): Log['info'] =>
    (message, { reason } = {}) =>
      void lines.push(`${level}: ${message}${typeof reason === 'string' ? `: ${reason}` : ''}`);
  return { log: { info: line('info'), warn: line('warn'), error: line('error') }, lines };
};

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

interface LogInMemory {
  readonly rows: StoredEvent[];
  readonly streams: Map<string, ReadonlyArray<StoredEvent>>;
  /** Null: ids may repeat, as in an EventStoreDB server. */
  readonly ids: Set<string> | null;
}

const append = (
  { rows, streams, ids }: LogInMemory,
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

const readAll = ({ rows }: LogInMemory, after: string | null, filter: EventFilter, limit: number): Page => {
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
  const log: LogInMemory = { rows: [], streams: new Map(), ids: refusesKnownIds ? new Set() : null };
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

/** A store that a test opened. */
export interface OpenedStore {
  readonly store: EventStore;
  readonly checkpoints?: Checkpoints;
  /** Closes the store and opens it again with its content. */
  readonly reopen?: () => Promise<OpenedStore>;
  readonly close: () => Promise<void>;
}

export type OpenStore = () => Promise<OpenedStore>;

/** A new temporary folder and a function that removes it. */
export const temporaryFolder = async (): Promise<{ path: string; remove: () => Promise<void> }> => {
  const path = await mkdtemp(join(tmpdir(), 'media-analysis-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
};

/** A temporary folder of the tests of a block, or of each one; it is removed afterwards. */
export const useFolder = (begin = before, end = after): (() => string) => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  begin(async () => {
    folder = await temporaryFolder();
  });
  end(() => folder.remove());
  return () => folder.path;
};

type Options = Omit<Parameters<typeof openSqliteEventStore>[0], 'file'>;

const reopening = (file: string, remove: () => Promise<void>, options: Options): OpenedStore => {
  const opened: SqliteEventStore = openSqliteEventStore({ file, ...options });
  return {
    ...opened,
    reopen: async () => {
      await opened.close();
      return reopening(file, remove, options);
    },
    close: async () => {
      await opened.close();
      await remove();
    },
  };
};

/** A new event log in a temporary folder, which is removed when the log is closed. */
export const openTemporarySqlite = async (options: Options = {}): Promise<OpenedStore> => {
  const { path, remove } = await temporaryFolder();
  return reopening(join(path, 'events.db'), remove, options);
};

export interface FailingStore {
  readonly store: EventStore;
  /** From the n-th append on (0: the next) every append fails, as if the process had died there. */
  readonly failAfter: (appends: number, onFirst?: () => void) => void;
  /** Only the n-th append fails. */
  readonly failOnly: (append: number) => void;
  readonly recover: () => void;
  /** How many appends were tried since the last call of one of these functions. */
  readonly appends: () => number;
}

/** Claims of idempotency keys are not part of the written data: these appends fail with the others but are not counted. */
const isKeyClaim = (stream: string): boolean => stream.startsWith('idempotencyKey-');

/** A store whose appends can be made to fail. */
export const failingStore = (inner: EventStore): FailingStore => {
  let count = 0;
  let fails: (append: number) => boolean = constFalse;
  let onFailure = constVoid;
  const failWhen = (condition: typeof fails, onFirst = constVoid): void => {
    count = 0;
    fails = condition;
    onFailure = onFirst;
  };
  const append: EventStore['append'] =
    (stream, ...given) =>
    async () => {
      const isFailing = fails(count);
      if (!isKeyClaim(stream)) count += 1;
      if (!isFailing) return inner.append(stream, ...given)();
      onFailure();
      onFailure = constVoid;
      return E.left({ _tag: 'StoreUnavailable', reason: 'a test made it fail' });
    };
  return {
    store: { ...inner, append },
    failAfter: (appends, onFirst) => failWhen((number) => number >= appends, onFirst),
    failOnly: (only) => failWhen((number) => number === only),
    recover: () => failWhen(constFalse),
    appends: () => count,
  };
};

/** A subscription that records every event, page and failure that it receives. */
interface Follower {
  readonly events: StoredEvent[];
  readonly pages: Page[];
  readonly failures: unknown[];
  readonly caughtUp: () => number;
  readonly received: (count: number) => Promise<void>;
  readonly close: Subscription['close'];
}

/** Subscribes. Each page is recorded first, then passed to `onPage`. */
export const follow = (
  store: EventStore,
  after: string | null,
  filter: EventFilter,
  onPage: (page: Page) => Promise<void> = () => Promise.resolve(),
): Follower => {
  const events: StoredEvent[] = [];
  const pages: Page[] = [];
  const failures: unknown[] = [];
  let caughtUp = 0;
  const { close } = store.subscribe(after, filter, {
    onPage: (page) => {
      pages.push(page);
      events.push(...page.events);
      return onPage(page);
    },
    onCaughtUp: () => (caughtUp += 1),
    onFailure: (failure) => failures.push(failure),
  });
  const received = (count: number): Promise<void> =>
    until(`${count} events received`, () => events.length >= count || failures.length > 0);
  return { events, pages, failures, caughtUp: () => caughtUp, received, close };
};
