import { existsSync } from 'node:fs';
import Database from 'libsql';
import type { Position } from '../../../domain/kernel/recorded-event.js';
import { toPosition } from './event-row.js';

/** The head position of a log, and how many events follow a position. */
export interface LogExtent {
  /** Null when the log is empty. */
  readonly head: Position | null;
  readonly after: number;
}

/**
 * Looks at a log file without writing to it; a service may be using it. Throws when it is missing or cannot be read.
 */
export const logExtent = (file: string, position: Position | null): LogExtent => {
  if (!existsSync(file)) throw new Error(`the event log ${file} does not exist`);
  const db = new Database(file, { readonly: true });
  try {
    const row: unknown = db
      .prepare('SELECT max(position), (SELECT count(*) FROM events WHERE position > ?) FROM events')
      .raw(true)
      .get(Number(position ?? 0));
    const values: ReadonlyArray<unknown> = Array.isArray(row) ? row : [];
    const [head, after] = values;
    return { head: head === null ? null : toPosition(Number(head)), after: Number(after) };
  } finally {
    db.close();
  }
};
