import type Database from 'libsql';
import { countFitting } from '../../../domain/kernel/count-fitting.js';
import type { EventFilter } from '../../../application/ports/event-store.js';
import { eventColumns, toEventRows, type EventRow } from './event-row.js';
import { filterQuery } from './filter-query.js';

/** The log as rows. Every function may throw. */
export interface Reader {
  /** The newest row's number, 0 for an empty log. */
  readonly head: () => number;
  /** At most so many bytes of them, but at least one where there is any. */
  readonly stream: (stream: string, afterRevision: number, limit: number, mostBytes: number) => ReadonlyArray<EventRow>;
  /** Rows that pass the filter, after a row and up to another. */
  readonly all: (after: number, upTo: number, filter: EventFilter, limit: number) => ReadonlyArray<EventRow>;
}

/** So many rows are looked at sooner than an index for each value of a filter. */
const fewRows = 250;

const bounded = (limit: number): number => Math.max(0, Math.min(limit, Number.MAX_SAFE_INTEGER));

/** Reads the log with prepared statements. */
export const createReader = (db: Database.Database): Reader => {
  const prepared = new Map<string, Database.Statement>();
  const statement = (sql: string): Database.Statement => {
    const known = prepared.get(sql) ?? db.prepare(sql).raw(true);
    prepared.set(sql, known);
    return known;
  };
  return {
    head: () => {
      const row: unknown = statement('SELECT coalesce(max(position), 0) FROM events').get();
      return Array.isArray(row) ? Number(row[0]) : 0;
    },
    stream: (stream, afterRevision, limit, mostBytes) => {
      const where = 'FROM events WHERE stream = ?1 AND revision > ?2 ORDER BY revision LIMIT ?3';
      const sizes = (): ReadonlyArray<number> =>
        statement(`SELECT octet_length(data) + octet_length(metadata) ${where}`)
          .all(stream, afterRevision, bounded(limit))
          .map((row) => Number(Array.isArray(row) ? row[0] : 0));
      const rows = mostBytes === Infinity ? limit : countFitting(sizes(), mostBytes);
      return toEventRows(statement(`SELECT ${eventColumns} ${where}`).all(stream, afterRevision, bounded(rows)));
    },
    all: (after, upTo, filter, limit) => {
      const query = filterQuery(filter, upTo - after <= fewRows);
      if (query === null) return [];
      return toEventRows(statement(query.sql).all(after, upTo, bounded(limit), ...query.values));
    },
  };
};
