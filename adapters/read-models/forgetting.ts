import type Database from 'libsql';
import { columnsOf } from './columns.js';
import { freeSpaceOf } from './free-space.js';

/**
 * Sees to it that nothing erased is left in the file or its write-ahead log. `secure_delete` overwrites what is deleted, but
 * not the copies that SQLite leaves in the free space of pages when it moves rows from one to another: of about one row in
 * a hundred. So the free space of all pages is overwritten, some pages at a time, and the write-ahead log emptied after
 * that. A mark in the file says that there is something to forget, so that it goes on after a kill.
 */
export interface Forgetting {
  /** To be called inside the transaction that erases. */
  readonly mark: () => void;
  /** To be called once that is committed. */
  readonly begin: () => void;
  /** Does a part of what is left; says whether something still is, and whether somebody else is in its way. May throw. */
  readonly goOn: () => 'done' | 'more' | 'hindered';
}

/** Of 4 KB each: what is looked through at once takes about 20 ms. */
const pagesAtOnce = 1_024;
/** How long the thread waits for a lock, and how long for readers of the write-ahead log. */
export const timeout_ms = 2_000;
const shortestTimeout_ms = 50;

const isMarked = (db: Database.Database): boolean =>
  columnsOf(db.prepare('PRAGMA user_version').raw(true).get())[0] !== 0;

/** Whoever reads is waited for no longer than others can wait for what is to be written next. */
const emptiesLog = (db: Database.Database): boolean => {
  db.exec(`PRAGMA busy_timeout = ${shortestTimeout_ms}`);
  try {
    return columnsOf(db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').raw(true).get())[0] === 0;
  } finally {
    db.exec(`PRAGMA busy_timeout = ${timeout_ms}`);
  }
};

export const createForgetting = (db: Database.Database): Forgetting => {
  const space = freeSpaceOf(db);
  let next = 1;
  let left = 0;
  let isDone = true;
  const begin = (): void => {
    left = space.pages();
    isDone = false;
  };
  if (isMarked(db)) begin();
  /** What comes during a round is seen by going on to the same place of the next one. */
  const clearSome = (): void => {
    const pages = space.pages();
    const from = next > pages ? 1 : next;
    const to = Math.min(pages, from + Math.min(left, pagesAtOnce) - 1);
    if (to >= from) space.clear(from, to);
    next = to + 1;
    left = to >= from ? left - (to - from + 1) : 0;
  };
  return {
    mark: () => void db.exec('PRAGMA user_version = 1'),
    begin,
    goOn: () => {
      if (isDone) return 'done';
      if (left > 0) clearSome();
      if (left > 0) return 'more';
      if (!emptiesLog(db)) return 'hindered';
      db.exec('PRAGMA user_version = 0');
      isDone = true;
      return 'done';
    },
  };
};
