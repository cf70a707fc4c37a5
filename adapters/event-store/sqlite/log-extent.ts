import { existsSync } from 'node:fs';
import Database from 'libsql';
import type { Position } from '../../../domain/kernel/recorded-event.js';
import { toPosition } from './event-row.js';

/** Where a log ends, and how many of its events come after a position. */
export interface LogExtent {
  /** Null: the log is empty. */
  readonly head: Position | null;
  readonly after: number;
}

/** Looks at a log's file without writing to it, also while a service does. Throws when it is missing or cannot be read. */
export const logExtent = (file: string, position: Position | null): LogExtent => {
  if (!existsSync(file)) throw new Error(`there is no event log ${file}`);
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
