import type Database from 'libsql';
import { columnsOf } from './columns.js';

/** Where a page of a B-tree keeps its number of entries, and where these begin; 0 is written for the longest page. */
const [countAt, entriesAt, longestPage] = [3, 5, 65_536];
/** How long the header is, by the first byte of a page that is one of a B-tree. */
const headers: Readonly<Record<number, number>> = { 2: 12, 5: 12, 10: 8, 13: 8 };
/** The first page begins with the header of the file. */
const fileHeader = 100;
const nothing = Buffer.alloc(longestPage);

/** Overwrites the free space between a page's head and its entries; says whether anything was in it. */
export const clearFreeSpace = (page: Buffer, number: number): boolean => {
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
export const freeSpaceOf = (db: Database.Database) => {
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
