import type Database from 'libsql';
import { backoff } from '../../application/queue-and-backoff.js';
import { query } from '../runtime/sqlite.js';

/**
 * The offsets in a B-tree page of its number of entries and of the start of their content; a start of 0 means the
 * longest page.
 */
const [countAt, entriesAt, longestPage] = [3, 5, 65_536];
/** The length of the page header, by the first byte of a B-tree page. */
const headers: Readonly<Record<number, number>> = { 2: 12, 5: 12, 10: 8, 13: 8 };
/** The first page begins with the header of the file. */
const fileHeader = 100;
const nothing = Buffer.alloc(longestPage);

/** Overwrites the unused space between a page's entry list and its content; returns whether it held anything. */
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

/**
 * Overflow pages begin with a page number; in files with more pages it could look like the first byte of a B-tree page.
 */
const maxPages = 2 ** 24;

/** Overwrites the unused space in the pages of a file. */
const freeSpaceOf = (db: Database.Database) => {
  const count = query(db, 'PRAGMA page_count');
  const select = query(db, 'SELECT pgno, data FROM generate_series(?, ?) JOIN sqlite_dbpage ON pgno = value');
  const write = db.prepare('UPDATE sqlite_dbpage SET data = ? WHERE pgno = ?');
  return {
    pages: (): number => {
      const pages = Number(count.first()[0]);
      return pages < maxPages ? pages : 0;
    },
    /** Overwrites it in the pages with these numbers, inclusive. */
    clear: (from: number, to: number): void => {
      db.exec('BEGIN IMMEDIATE');
      for (const [number, page] of select.all(from, to))
        if (Buffer.isBuffer(page) && clearFreeSpace(page, Number(number))) write.run([page, number]);
      db.exec('COMMIT');
    },
  };
};

/** Pages of 4 KB; going through this many takes about 20 ms. */
const pagesPerStep = 1_024;

/** The pause before another attempt when readers or a full disk block an overwriting, in milliseconds; it doubles. */
const [minPauseMs, maxPauseMs] = [50, 2_000];

const isMarked = (db: Database.Database): boolean => query(db, 'PRAGMA user_version').first()[0] !== 0;

const truncateWal = (db: Database.Database): boolean => query(db, 'PRAGMA wal_checkpoint(TRUNCATE)').first()[0] === 0;

/**
 * Ensures that erased content remains neither in the file nor in its write-ahead log. `secure_delete` overwrites
 * deleted content, but not the copies that SQLite leaves in the unused space of pages when it moves rows between pages
 * (about one row in a hundred). So the unused space of all pages is overwritten, some pages at a time, and then the
 * write-ahead log is truncated. A flag in the file records that this is due, so that it resumes after a crash.
 */
export const overwriteErasedContent = (db: Database.Database) => {
  const space = freeSpaceOf(db);
  const pauses = backoff(minPauseMs, maxPauseMs);
  let timer: NodeJS.Timeout | undefined;
  let next = 1;
  let left = 0;
  /** Content added during a round is covered by continuing to the same page of the next round. */
  const clearSome = (): void => {
    const pages = space.pages();
    const from = next > pages ? 1 : next;
    const to = Math.min(pages, from + Math.min(left, pagesPerStep) - 1);
    if (to >= from) space.clear(from, to);
    next = to + 1;
    left = to >= from ? left - (to - from + 1) : 0;
  };
  const step = (): 'done' | 'more' | 'blocked' => {
    try {
      if (left > 0) clearSome();
      if (left > 0) return 'more';
      if (!truncateWal(db)) return 'blocked';
      db.exec('PRAGMA user_version = 0');
      return 'done';
    } catch {
      if (db.inTransaction) db.exec('ROLLBACK');
      return 'blocked';
    }
  };
  const run = (): void => {
    const result = step();
    if (result !== 'blocked') pauses.reset();
    if (result !== 'done') schedule(result === 'more' ? 0 : pauses.next());
  };
  const schedule = (ms: number): void => {
    clearTimeout(timer);
    timer = setTimeout(run, ms).unref();
  };
  const begin = (): void => {
    left = space.pages();
    schedule(0);
  };
  if (isMarked(db)) begin();
  return {
    /** Call this inside the transaction that erases, which ends in the same turn. */
    begin: (): void => {
      db.exec('PRAGMA user_version = 1');
      begin();
    },
    stop: (): void => clearTimeout(timer),
  };
};
