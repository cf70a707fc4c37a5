import type Database from 'libsql';
import { columnsOf } from '../columns.js';

/** The number of the newest event that is indexed; 0 before the first. */
export const newestEvent = (db: Database.Database): (() => number) => {
  const select = db.prepare('SELECT number FROM event_index WHERE number > 0 ORDER BY number DESC LIMIT 1').raw(true);
  return () => Number(columnsOf(select.get())[0] ?? 0);
};
