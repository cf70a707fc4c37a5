import { type EventEmitter, once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import * as E from 'fp-ts/lib/Either.js';
import { constVoid } from 'fp-ts/lib/function.js';
import type Database from 'libsql';
import type {
  EventFilter,
  EventStore,
  Page,
  StoredEvent,
  Subscription,
} from '../../../application/ports/event-store.js';
import type { Json, Position } from '../../../domain/kernel/recorded-event.js';
import { countFitting } from '../../runtime/memory.js';
import { query, utf8Of } from '../../runtime/sqlite.js';
import { positionIn, remedy, toPosition, toRow } from './file.js';

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

const unreadable = (row: number, reason: string): Error =>
  new Error(`the event log cannot be read at position ${toPosition(row)}: its ${reason}; ${remedy}`);

const texts = ['stream', 'event_id', 'type', 'data', 'metadata'];

const textOf = (bytes: unknown, row: number, column: string): string => {
  const text = utf8Of(bytes);
  if (text === null) throw unreadable(row, `${column} is not valid UTF-8`);
  return text;
};

/**
 * Prepares a query for the columns `eventColumns`. Texts are read as bytes because libsql ends the process when a text
 * is not valid UTF-8; the query throws then, naming the position.
 */
export const prepareRows = (db: Database.Database, sql: string) => {
  const blobs = texts.map((text) => `CAST(${text} AS BLOB)`).join(', ');
  const rows = query(db, `SELECT position, revision, ${blobs} FROM (${sql})`);
  return (...values: ReadonlyArray<unknown>) =>
    rows.all(...values).map((columns): EventRow => {
      const row = Number(columns[0]);
      const text = (index: number): string => textOf(columns[index + 2], row, texts[index] ?? '');
      return [row, text(0), Number(columns[1]), text(1), text(2), text(3), text(4)];
    });
};

/** The JSON of a column. Throws, naming the position, when it is invalid. */
export const parseJson = (text: string, row: number, column: string): Json => {
  const parse: (text: string) => Json = JSON.parse;
  try {
    return parse(text);
  } catch {
    throw unreadable(row, `${column} is not valid JSON`);
  }
};

/** A row as an event of the port. Throws, naming the position, when its JSON is invalid. */
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
  readonly values: ReadonlyArray<string | null>;
}

const select = (condition: string): string =>
  `SELECT ${eventColumns} FROM events ${condition} AND position > ?1 AND position <= ?2
   AND (?4 IS NULL OR category IN (SELECT value FROM json_each(?4)))`;

/** After the row to start after, the last row to look at, the limit, and the categories as JSON. */
const firstType = 5;

/**
 * The query for a filter's events in order. There is one ordered scan of the index for each type, merged by position: so
 * a rare one is found without looking at the other rows, and a frequent one without sorting.
 */
export const filterQuery = ({ types, categories }: EventFilter): Query => {
  const wanted = [...new Set(types)];
  const ofTypes = wanted.map((_, at) => select(`INDEXED BY events_by_type WHERE type = ?${firstType + at}`));
  const [all, none] = [select('WHERE TRUE'), select('WHERE FALSE')];
  return {
    sql: `${ofTypes.join(' UNION ALL ') || (types === undefined ? all : none)} ORDER BY position LIMIT ?3`,
    values: [categories === undefined ? null : JSON.stringify(categories), ...wanted],
  };
};

const ofStream: Query = {
  sql: `SELECT ${eventColumns} FROM events WHERE stream = ?1 AND revision > ?2 ORDER BY revision LIMIT ?3`,
  values: [],
};

const maxPageBytes = 4_000_000;

/** Reads the log with prepared statements. Every function may throw. */
export const createReader = (db: Database.Database) => {
  const newest = query(db, 'SELECT coalesce(max(position), 0) FROM events');
  const single = prepareRows(db, `SELECT ${eventColumns} FROM events WHERE position = ?`);
  const prepare = (sql: string) => ({
    rows: prepareRows(db, sql),
    sizes: query(db, `SELECT octet_length(data) + octet_length(metadata) FROM (${sql})`),
  });
  const prepared = new Map<string, ReturnType<typeof prepare>>();
  /** The events of a query whose third parameter is a limit: at most `maxBytes`, but at least one. */
  const read = ({ sql, values }: Query, after: ReadonlyArray<string | number>, limit: number, maxBytes: number) => {
    const known = prepared.get(sql) ?? prepare(sql);
    prepared.set(sql, known);
    const events = (most: number) => known.rows(...after, most, ...values).map(toStoredEvent);
    if (maxBytes === Infinity) return { events: events(limit), isFull: true };
    const sizes = known.sizes.all(...after, limit, ...values).map(([size]) => Number(size));
    const count = countFitting(sizes, maxBytes);
    return {
      events: count === 0 ? [] : events(count),
      /** Whether there may be more events. */
      isFull: sizes.length === limit || count < sizes.length,
    };
  };
  /** The newest row number; 0 for an empty log. */
  const head = (): number => Number(newest.first()[0]);
  return {
    head,
    stream: (stream: string, afterRevision: number, limit: number, maxBytes = Infinity) =>
      read(ofStream, [stream, afterRevision], limit, maxBytes).events,
    /** The events after a position that pass the filter: at most `limit` and about 4 MB. */
    page: (after: Position | null, filter: EventFilter, limit: number): Page => {
      const [from, end] = [toRow(after), head()];
      if (end <= from) return { events: [], examined: null };
      const { events, isFull } = read(filterQuery(filter), [from, end], limit, maxPageBytes);
      return { events, examined: isFull ? (events.at(-1)?.position ?? null) : toPosition(end) };
    },
    at: (position: Position): StoredEvent | null =>
      positionIn(position) === position ? (single(toRow(position)).map(toStoredEvent)[0] ?? null) : null,
  };
};

const maxPageEvents = 1_000;

/**
 * Subscriptions, which read page by page, each page after the handler of the last one has finished, then wait at the
 * head of the log until `appended` tells of more. A page without events reports how far the log was examined when nothing
 * passes the filter.
 */
export const createSubscriptions = (readAll: EventStore['readAll'], appended: EventEmitter) => {
  const running = new Set<Subscription>();
  const subscribe: EventStore['subscribe'] = (after, filter, { onPage, onCaughtUp, onFailure }) => {
    const closing = new AbortController();
    const fail = (failure: unknown): void => {
      running.delete(subscription);
      if (!closing.signal.aborted) onFailure(failure);
    };
    const follow = async (): Promise<void> => {
      for (let from = after; ;) {
        await setImmediate();
        if (closing.signal.aborted) return;
        const page = await readAll(from, filter, maxPageEvents)();
        if (E.isLeft(page)) return fail(page.left);
        if (page.right.examined !== null) {
          await onPage(page.right);
          from = page.right.examined;
        } else {
          onCaughtUp?.();
          await once(appended, 'appended', { signal: closing.signal }).catch(constVoid);
        }
      }
    };
    const ended = follow().catch(fail);
    const subscription: Subscription = {
      close: () => {
        closing.abort();
        return ended.finally(() => running.delete(subscription));
      },
    };
    running.add(subscription);
    return subscription;
  };
  return {
    subscribe,
    /** Closes all subscriptions; resolves once none of their handlers is running. */
    closeAll: async (): Promise<void> => {
      while (running.size > 0) await Promise.all([...running].map(({ close }) => close()));
    },
  };
};
