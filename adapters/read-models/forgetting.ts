import type Database from 'libsql';
import { columnsOf } from './row-json.js';

/** Where a page of a B-tree keeps its number of entries, and where these begin; 0 is written for the longest page. */
const [countAt, entriesAt, longestPage] = [3, 5, 65_536];
/** How long the header is, by the first byte of a page that is one of a B-tree. */
const headers: Readonly<Record<number, number>> = { 2: 12, 5: 12, 10: 8, 13: 8 };
/** The first page begins with the header of the file. */
const fileHeader = 100;
const nothing = Buffer.alloc(longestPage);

/** Overwrites the free space between a page's head and its entries; says whether anything was in it. */
const clearFreeSpace = (page: Buffer, number: number): boolean => {
  const start = number === 1 ? fileHeader : 0;
  const header = headers[page[start] ?? 0];
  if (header === undefined) return false;
  const from = start + header + 2 * page.readUInt16BE(start + countAt);
  const to = page.readUInt16BE(start + entriesAt) || longestPage;
  if (from >= to || to > page.length || page.compare(nothing, 0, to - from, from, to) === 0) return false;
  page.fill(0, from, to);
  return true;
};

/** Pages that hold more of a long text begin with a page's number: in larger files that could look like a B-tree's. */
const mostPages = 2 ** 24;

/** Clears the free space of pages of a file. */
const freeSpaceOf = (db: Database.Database) => {
  const count = db.prepare('PRAGMA page_count').raw(true);
  const select = db
    .prepare('SELECT pgno, data FROM generate_series(?, ?) JOIN sqlite_dbpage ON pgno = value')
    .raw(true);
  const write = db.prepare('UPDATE sqlite_dbpage SET data = ? WHERE pgno = ?');
  return {
    pages: (): number => {
      const pages = Number(columnsOf(count.get())[0]);
      return pages < mostPages ? pages : 0;
    },
    /** Of the pages of these numbers, the last included. */
    clear: (from: number, to: number): void => {
      db.exec('BEGIN IMMEDIATE');
      for (const row of select.all(from, to)) {
        const [number, page] = columnsOf(row);
        if (Buffer.isBuffer(page) && clearFreeSpace(page, Number(number))) write.run([page, number]);
      }
      db.exec('COMMIT');
    },
  };
};

/**
 * Sees to it that nothing erased is left in the file or its write-ahead log. `secure_delete` overwrites what is deleted, but
 * not the copies that SQLite leaves in the free space of pages when it moves rows from one to another: of about one row in
 * a hundred. So the free space of all pages is overwritten, some pages at a time, and the write-ahead log emptied after
 * that. A mark in the file says that there is something to forget, so that it goes on after a kill.
 */
interface Forgetting {
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
