import type Database from 'libsql';
import { type EventRow, eventColumns, prepareRows } from '../../event-store/sqlite/event-row.js';

/** Reads the rows of the log in both directions. Every function may throw. */
export interface Rows {
  /** The newest row number; 0 for an empty log. */
  readonly head: () => number;
  /** The revision of a stream's newest event; -1 if there is none. */
  readonly lastRevision: (stream: string) => number;
  /** From a revision onwards, inclusive. */
  readonly streamForwards: (stream: string, from: number, limit: number) => ReadonlyArray<EventRow>;
  /** From a revision backwards, inclusive. */
  readonly streamBackwards: (stream: string, from: number, limit: number) => ReadonlyArray<EventRow>;
  /** From a row onwards, inclusive. */
  readonly allForwards: (from: number, limit: number) => ReadonlyArray<EventRow>;
  /** The rows before a row, newest first. */
  readonly allBackwards: (before: number, limit: number) => ReadonlyArray<EventRow>;
  readonly byId: (id: string) => EventRow | null;
}

/** The revision of a tombstone. No stream grows that long; clients see it as the greatest revision of the protocol. */
export const tombstoneRevision = Number.MAX_SAFE_INTEGER;

const numberOf = (row: unknown, otherwise: number): number =>
  Array.isArray(row) && typeof row[0] === 'number' ? row[0] : otherwise;

/** Reads the log with prepared statements. */
export const createRows = (db: Database.Database): Rows => {
  const select = (condition: string) => prepareRows(db, `SELECT ${eventColumns} FROM events WHERE ${condition}`);
  const head = db.prepare('SELECT max(position) FROM events').raw(true);
  const last = db.prepare('SELECT max(revision) FROM events WHERE stream = ?').raw(true);
  const forwards = select('stream = ? AND revision >= ? ORDER BY revision LIMIT ?');
  const backwards = select('stream = ? AND revision <= ? ORDER BY revision DESC LIMIT ?');
  const all = select('position >= ? ORDER BY position LIMIT ?');
  const allBack = select('position < ? ORDER BY position DESC LIMIT ?');
  const withId = select('event_id = ?');
  return {
    head: () => numberOf(head.get(), 0),
    lastRevision: (stream) => numberOf(last.get(stream), -1),
    streamForwards: (stream, from, limit) => forwards(stream, from, limit),
    streamBackwards: (stream, from, limit) => backwards(stream, from, limit),
    allForwards: (from, limit) => all(from, limit),
    allBackwards: (before, limit) => allBack(before, limit),
    byId: (id) => withId(id)[0] ?? null,
  };
};
