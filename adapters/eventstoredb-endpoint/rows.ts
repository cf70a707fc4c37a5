import type Database from 'libsql';
import { query } from '../runtime/sqlite.js';
import { type EventRow, eventColumns, prepareRows } from '../event-store/sqlite/read.js';

/** A place in the log or in a stream: a row number, or a revision. */
export type Place = number;

/** Rows in the requested order, and whether there are no more. */
interface RowPage {
  readonly rows: ReadonlyArray<EventRow>;
  readonly isLast: boolean;
}

/** What is read: a stream, or the whole log if it is null. */
export interface Source {
  readonly stream: string | null;
  readonly backwards: boolean;
}

/** Reads the rows of the log. Every function may throw. */
export interface Rows {
  /** The place of the newest event of a stream, -1 if there is none, or of the log, 0 if it is empty. */
  readonly last: (stream: string | null) => Place;
  /** The next rows from a place, inclusive, at most `limit`. */
  readonly page: (source: Source, from: Place, limit: number) => RowPage;
}

const maxRowsPerPage = 250;

/** The place of a row in what is read. */
export const placeOf = ([position, , revision]: EventRow, stream: string | null): Place =>
  stream === null ? position : revision;

/** Reads the log with prepared statements. */
export const createRows = (db: Database.Database): Rows => {
  const select = (condition: string) =>
    prepareRows(db, `SELECT ${eventColumns} FROM events WHERE ${condition} LIMIT ?`);
  const newest = query(db, 'SELECT coalesce(max(position), 0) FROM events');
  const newestOf = query(db, 'SELECT coalesce(max(revision), -1) FROM events WHERE stream = ?');
  const ofStream = {
    forwards: select('stream = ? AND revision >= ? ORDER BY revision'),
    backwards: select('stream = ? AND revision <= ? ORDER BY revision DESC'),
  };
  const ofAll = {
    forwards: select('position >= ? ORDER BY position'),
    backwards: select('position <= ? ORDER BY position DESC'),
  };
  return {
    last: (stream) => Number((stream === null ? newest.first() : newestOf.first(stream))[0]),
    page: ({ stream, backwards }, from, wanted) => {
      const limit = Math.min(maxRowsPerPage, wanted);
      const direction = backwards ? 'backwards' : 'forwards';
      const rows = stream === null ? ofAll[direction](from, limit) : ofStream[direction](stream, from, limit);
      return { rows, isLast: rows.length < limit };
    },
  };
};
