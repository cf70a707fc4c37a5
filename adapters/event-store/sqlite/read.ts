import { setImmediate } from 'node:timers/promises';
import * as E from 'fp-ts/lib/Either.js';
import type Database from 'libsql';
import type {
  EventFilter,
  EventStore,
  Page,
  StoredEvent,
  Subscription,
} from '../../../application/ports/event-store.js';
import { type Position, type Json, positionIn as positionOfWidth } from '../../../domain/kernel/recorded-event.js';
import { countFitting } from '../../runtime/memory.js';
import { query, utf8Of } from '../../runtime/sqlite.js';
import { attempt, positionDigits, remedy, toPosition } from './file.js';

const isPosition = (text: string): boolean => /^\d{16}$/.test(text);

export const positionIn = (text: string): Position | null => positionOfWidth(text, positionDigits);

/**
 * The row number of a position; 0 for null, which is before the first event. Throws on a text that is not a position of
 * this store.
 */
export const toRow = (position: Position | null): number => {
  if (position === null) return 0;
  if (!isPosition(position)) throw new Error(`"${position}" is not a position of this store`);
  return Number(position);
};

/** The columns of a stored event, in the order of `EventRow`. */
export const eventColumns = 'position, stream, revision, event_id, type, data, metadata';

export type EventRow = readonly [
  position: number,
  stream: string,
  revision: number,
  id: string,
  type: string,
  data: string,
  metadata: string,
];

/** A row of the log is damaged. */
class UnreadableRow extends Error {
  override readonly name = 'UnreadableRow';
  constructor(row: number, reason: string) {
    super(`the event log cannot be read at position ${toPosition(row)}: its ${reason}; ${remedy}`);
  }
}

const texts = ['stream', 'event_id', 'type', 'data', 'metadata'];

const textOf = (bytes: unknown, row: number, column: string): string => {
  const text = utf8Of(bytes);
  if (text === null) throw new UnreadableRow(row, `${column} is not valid UTF-8`);
  return text;
};

/**
 * Prepares a query for the columns `eventColumns`. Texts are read as bytes because libsql ends the process when a text
 * is not valid UTF-8; the query throws `UnreadableRow` then.
 */
export const prepareRows = (
  db: Database.Database,
  sql: string,
): ((...values: ReadonlyArray<string | number>) => ReadonlyArray<EventRow>) => {
  const blobs = texts.map((text) => `CAST(${text} AS BLOB)`).join(', ');
  const rows = query(db, `SELECT position, revision, ${blobs} FROM (${sql})`);
  return (...values) =>
    rows.all(...values).map((columns) => {
      const row = Number(columns[0]);
      const text = (index: number): string => textOf(columns[index + 2], row, texts[index] ?? '');
      return [row, text(0), Number(columns[1]), text(1), text(2), text(3), text(4)];
    });
};

/** The JSON of a column. Throws `UnreadableRow` when it is invalid. */
export const parseJson = (text: string, row: number, column: string): Json => {
  const parse: (text: string) => Json = JSON.parse;
  try {
    return parse(text);
  } catch {
    throw new UnreadableRow(row, `${column} is not valid JSON`);
  }
};

/** A row as an event of the port. Throws `UnreadableRow` when its JSON is invalid. */
export const toStoredEvent = ([row, stream, revision, id, type, data, metadata]: EventRow): StoredEvent => ({
  position: toPosition(row),
  stream,
  revision,
  id,
  type,
  data: parseJson(data, row, 'data'),
  metadata: parseJson(metadata, row, 'metadata'),
});

interface Query {
  readonly sql: string;
  readonly values: ReadonlyArray<string>;
}

const range = 'position > ?1 AND position <= ?2';
const firstValue = 4;

/**
 * One ordered scan of the index for each value, merged by position. So a rare value is found without looking at the
 * other rows, and a frequent one without sorting.
 */
const merged = (index: string, column: string, values: ReadonlyArray<string>, condition = ''): string =>
  values
    .map(
      (_, at) =>
        `SELECT ${eventColumns} FROM events INDEXED BY ${index} WHERE ${column} = ?${firstValue + at} AND ${range}${condition}`,
    )
    .join(' UNION ALL ');

const selection = (types: ReadonlyArray<string> | null, categories: ReadonlyArray<string> | null): string => {
  if (types === null)
    return categories === null
      ? `SELECT ${eventColumns} FROM events WHERE ${range}`
      : merged('events_by_category', 'category', categories);
  const ofCategories = (categories ?? []).map((_, at) => `?${firstValue + types.length + at}`).join(', ');
  return merged('events_by_type', 'type', types, categories === null ? '' : ` AND category IN (${ofCategories})`);
};

/**
 * The query for a filter's events in order. Parameters: the row after which to start, the last row to look at, the
 * limit, then the query's own values. Null when the filter matches nothing.
 */
export const filterQuery = (filter: EventFilter): Query | null => {
  if (filter.types?.length === 0 || filter.categories?.length === 0) return null;
  const [types, categories] = [filter.types, filter.categories].map((wanted) => wanted && [...new Set(wanted)]);
  const sql = `${selection(types ?? null, categories ?? null)} ORDER BY position LIMIT ?3`;
  return { sql, values: [...(types ?? []), ...(categories ?? [])] };
};

/** Reads the log with prepared statements. Every function may throw. */
export interface Reader {
  /** The newest row number; 0 for an empty log. */
  readonly head: () => number;
  readonly stream: (
    stream: string,
    afterRevision: number,
    limit: number,
    maxBytes?: number,
  ) => ReadonlyArray<StoredEvent>;
  /** The events after a row, up to a row or to the newest, that pass the filter: at most `limit` and about 4 MB. */
  readonly page: (after: number, filter: EventFilter, limit: number, upTo?: number) => Page;
  readonly at: (position: Position) => StoredEvent | null;
}

const maxPageBytes = 4_000_000;
const ofStream: Query = {
  sql: `SELECT ${eventColumns} FROM events WHERE stream = ?1 AND revision > ?2 ORDER BY revision LIMIT ?3`,
  values: [],
};

interface Found {
  readonly events: ReadonlyArray<StoredEvent>;
  /** Whether the limits may have left events out. */
  readonly isFull: boolean;
}

/** Reads the events of a query whose third parameter is a limit: at most `maxBytes`, but at least one. */
const createSizedRead = (db: Database.Database) => {
  const prepare = (sql: string) => ({
    rows: prepareRows(db, sql),
    sizes: query(db, `SELECT octet_length(data) + octet_length(metadata) FROM (${sql})`),
  });
  const prepared = new Map<string, ReturnType<typeof prepare>>();
  return ({ sql, values }: Query, after: readonly [string | number, number], most: number, maxBytes: number): Found => {
    const known = prepared.get(sql) ?? prepare(sql);
    prepared.set(sql, known);
    const limit = Math.max(0, Math.min(most, Number.MAX_SAFE_INTEGER));
    const rows = (count: number) => known.rows(...after, count, ...values).map(toStoredEvent);
    if (maxBytes === Infinity) return { events: rows(limit), isFull: true };
    const sizes = known.sizes.all(...after, limit, ...values).map(([size]) => Number(size));
    const fitting = countFitting(sizes, maxBytes);
    return { events: fitting === 0 ? [] : rows(fitting), isFull: sizes.length === limit || fitting < sizes.length };
  };
};

export const createReader = (db: Database.Database): Reader => {
  const read = createSizedRead(db);
  const newest = query(db, 'SELECT coalesce(max(position), 0) FROM events');
  const single = prepareRows(db, `SELECT ${eventColumns} FROM events WHERE position = ?`);
  const head = (): number => Number(newest.first()[0]);
  return {
    head,
    stream: (stream, afterRevision, limit, maxBytes = Infinity) =>
      read(ofStream, [stream, afterRevision], limit, maxBytes).events,
    page: (after, filter, limit, upTo = head()) => {
      if (upTo <= after) return { events: [], examined: null };
      const wanted = filterQuery(filter);
      const found = wanted === null ? null : read(wanted, [after, upTo], limit, maxPageBytes);
      const last = found?.events.at(-1);
      const examined = found?.isFull === true ? toRow(last?.position ?? toPosition(after)) : upTo;
      return { events: found?.events ?? [], examined: examined > after ? toPosition(examined) : null };
    },
    at: (position) => (isPosition(position) ? (single(toRow(position)).map(toStoredEvent)[0] ?? null) : null),
  };
};

/** The newest row that this process knows of; wakes those that wait for a newer one. */
export const createHeadSignal = (start: number) => {
  let head = start;
  const waiting: Array<() => void> = [];
  /** Wakes all who wait, so that they check whether to go on. */
  const wake = (): void => waiting.splice(0).forEach((resolve) => resolve());
  return {
    row: () => head,
    advance: (row: number): void => {
      if (row <= head) return;
      head = row;
      wake();
    },
    /** Resolves at the next `advance` or `wake`. */
    moved: () => new Promise<void>((resolve) => waiting.push(resolve)),
    wake,
  };
};

export type HeadSignal = ReturnType<typeof createHeadSignal>;

const maxPageEvents = 1_000;

/**
 * Subscriptions, which read page by page, each page after the handler of the last one has finished, then wait at the
 * head of the log. A page without events reports how far the log was examined when nothing passes the filter. `refusal`
 * says why there can be no new ones.
 */
export const createSubscriptions = (read: Reader['page'], head: HeadSignal, refusal: () => unknown) => {
  const running = new Set<Subscription>();
  const subscribe: EventStore['subscribe'] = (after, filter, { onPage, onCaughtUp, onFailure }) => {
    const closing = new AbortController();
    const fail = (failure: unknown): void => {
      running.delete(subscription);
      if (!closing.signal.aborted) onFailure(failure);
    };
    const follow = async (): Promise<void> => {
      await setImmediate();
      if (refusal() !== null) return fail(refusal());
      const start = attempt(() => toRow(after));
      if (E.isLeft(start)) return fail(start.left);
      for (let row = start.right; !closing.signal.aborted; await setImmediate()) {
        if (head.row() <= row) {
          onCaughtUp?.();
          while (!closing.signal.aborted && head.row() <= row) await head.moved();
          continue;
        }
        const page = attempt(() => read(row, filter, maxPageEvents, head.row()));
        if (E.isLeft(page)) return fail(page.left);
        if (page.right.examined === null) continue;
        await onPage(page.right);
        row = toRow(page.right.examined);
      }
    };
    const ended = follow().catch(fail);
    const subscription: Subscription = {
      close: () => {
        closing.abort();
        head.wake();
        return ended.finally(() => running.delete(subscription));
      },
    };
    running.add(subscription);
    return subscription;
  };
  return {
    subscribe,
    /** Closes all running subscriptions; resolves once none of their handlers is running. */
    closeAll: () => Promise.all([...running].map(({ close }) => close())),
  };
};
