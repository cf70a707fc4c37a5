import type Database from 'libsql';
import type { EventFilter } from '../../../application/ports/event-store.js';
import { eventColumns, type EventRow, UnreadableRow, prepareLargeRows, prepareRows, toPosition } from './event-row.js';
import type { VerifyRows } from './verified-rows.js';

interface Query {
  readonly sql: string;
  readonly values: ReadonlyArray<string>;
}

const range = 'position > ?1 AND position <= ?2';
const firstValue = 4;

const oneOf = (values: ReadonlyArray<string>, from: number): string =>
  `(${values.map((_, index) => `?${from + index}`).join(', ')})`;

/**
 * One ordered scan of the index for each value, merged by position. So a rare value is found without looking at the
 * other rows, and a frequent one without sorting.
 */
const merged = (
  selection: string,
  index: string,
  column: string,
  values: ReadonlyArray<string>,
  condition: string,
): string =>
  values
    .map((_, at) => `${selection} INDEXED BY ${index} WHERE ${column} = ?${firstValue + at} AND ${range}${condition}`)
    .join(' UNION ALL ');

const walk = (selection: string, filter: EventFilter): Query => {
  const types = [...new Set(filter.types)];
  const categories = [...new Set(filter.categories)];
  if (filter.types === undefined && filter.categories === undefined)
    return { sql: `${selection} WHERE ${range}`, values: [] };
  if (filter.types === undefined)
    return { sql: merged(selection, 'events_by_category', 'category', categories, ''), values: categories };
  const condition =
    filter.categories === undefined ? '' : ` AND category IN ${oneOf(categories, firstValue + types.length)}`;
  return { sql: merged(selection, 'events_by_type', 'type', types, condition), values: [...types, ...categories] };
};

const scan = (selection: string, { types = [], categories = [] }: EventFilter): Query => {
  const values = [...types, ...categories];
  const ofTypes = types.length === 0 ? '' : ` AND +type IN ${oneOf(types, firstValue)}`;
  const ofCategories =
    categories.length === 0 ? '' : ` AND +category IN ${oneOf(categories, firstValue + types.length)}`;
  return { sql: `${selection} WHERE ${range}${ofTypes}${ofCategories}`, values };
};

/**
 * The query for a filter's events in order. Parameters: the row after which to start, the last row to look at, the
 * limit, then the query's own values. Null when the filter matches nothing. Where there are only `few` rows to look at,
 * as at the head of the log, it scans them without an index.
 */
export const filterQuery = (filter: EventFilter, few = false, columns = eventColumns): Query | null => {
  if (filter.types?.length === 0 || filter.categories?.length === 0) return null;
  const selection = `SELECT ${columns} FROM events`;
  const { sql, values } = few ? scan(selection, filter) : walk(selection, filter);
  return { sql: `${sql} ORDER BY position LIMIT ?3`, values };
};

/**
 * The rows of the log, not yet verified. Rows known to be large are read by another query. Every function may throw.
 */
export interface Reader {
  /** The newest row number; 0 for an empty log. */
  readonly head: () => number;
  /** The size of each of a stream's next rows, in bytes. */
  readonly sizes: (stream: string, afterRevision: number, limit: number) => ReadonlyArray<number>;
  readonly stream: (stream: string, afterRevision: number, limit: number, areLarge: boolean) => ReadonlyArray<EventRow>;
  /** Rows that pass the filter, after one row and up to another. */
  readonly all: (
    after: number,
    upTo: number,
    filter: EventFilter,
    limit: number,
    areLarge: boolean,
  ) => ReadonlyArray<EventRow>;
  /** The size of each of the first of these rows, in bytes. */
  readonly sizesOfAll: (after: number, upTo: number, filter: EventFilter, limit: number) => ReadonlyArray<number>;
  /** Verifies rows against their hashes, if the log is opened that way. */
  readonly verify: VerifyRows;
}

/** Up to this many rows are scanned directly instead of through an index. */
const fewRows = 250;

const clampLimit = (limit: number): number => Math.max(0, Math.min(limit, Number.MAX_SAFE_INTEGER));

const ofStream = 'FROM events WHERE stream = ?1 AND revision > ?2 ORDER BY revision LIMIT ?3';

const bytes = 'octet_length(data) + octet_length(metadata)';

/** Prepares each query once. */
const preparedOnce = <Query>(prepare: (sql: string) => Query): ((sql: string) => Query) => {
  const prepared = new Map<string, Query>();
  return (sql) => {
    const query = prepared.get(sql) ?? prepare(sql);
    prepared.set(sql, query);
    return query;
  };
};

const numberOf = (row: unknown): number => Number(Array.isArray(row) ? row[0] : 0);

/** The revision of a tombstone, which other clients can append; there is a gap before it. */
const endOfStream = Number.MAX_SAFE_INTEGER;

/** Throws when a row is missing that must exist: a damaged index omits rows silently. */
const checkNoGaps = (rows: ReadonlyArray<EventRow>, before: number, column: 0 | 2): ReadonlyArray<EventRow> => {
  let last = before;
  for (const row of rows) {
    if (row[column] !== last + 1 && row[column] !== endOfStream) {
      const what = column === 0 ? `position ${toPosition(last + 1)}` : `revision ${last + 1} of ${row[1]}`;
      throw new UnreadableRow(`the event log is damaged: ${what} is missing`);
    }
    last = row[column];
  }
  return rows;
};

const unverified: VerifyRows = (rows) => rows;

/** Reads the log with prepared statements. */
export const createReader = (db: Database.Database, verify: VerifyRows = unverified, acceptsGaps = false): Reader => {
  const check = acceptsGaps ? (rows: ReadonlyArray<EventRow>) => rows : checkNoGaps;
  const smallRows = preparedOnce((sql) => prepareRows(db, sql));
  const largeRows = preparedOnce((sql) => prepareLargeRows(db, sql));
  const rowsOf = (areLarge: boolean) => (areLarge ? largeRows : smallRows);
  const sizesOf = preparedOnce((sql) => db.prepare(sql).raw(true));
  const head = db.prepare('SELECT coalesce(max(position), 0) FROM events').raw(true);
  return {
    head: () => numberOf(head.get()),
    sizes: (stream, afterRevision, limit) =>
      sizesOf(`SELECT ${bytes} ${ofStream}`).all(stream, afterRevision, clampLimit(limit)).map(numberOf),
    stream: (stream, afterRevision, limit, areLarge) => {
      const rows = rowsOf(areLarge)(`SELECT ${eventColumns} ${ofStream}`)(stream, afterRevision, clampLimit(limit));
      return check(rows, afterRevision, 2);
    },
    all: (after, upTo, filter, limit, areLarge) => {
      const found = filterQuery(filter, upTo - after <= fewRows);
      if (found === null) return [];
      const rows = rowsOf(areLarge)(found.sql)(after, upTo, clampLimit(limit), ...found.values);
      const isWhole = filter.types === undefined && filter.categories === undefined;
      return isWhole ? check(rows, after, 0) : rows;
    },
    sizesOfAll: (after, upTo, filter, limit) => {
      const found = filterQuery(filter, upTo - after <= fewRows, `${bytes}, position`);
      return found === null
        ? []
        : sizesOf(found.sql)
            .all(after, upTo, clampLimit(limit), ...found.values)
            .map(numberOf);
    },
    verify,
  };
};
