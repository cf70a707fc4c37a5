import * as E from 'fp-ts/lib/Either.js';
import { identity } from 'fp-ts/lib/function.js';
import type Database from 'libsql';
import { type MadeOfTable, ofEachTable } from '../../projections/each-table.js';
import { isDamage, reasonOf } from './damage.js';
import { openDatabase, removeDatabase } from './database.js';
import { type EventIndex, createEventIndex } from './event-index/event-index.js';
import { type Progress, type ProgressRow, readProgressRow } from './progress-row.js';
import { type StoredTable, storedTable } from './stored-table.js';
import { type Writer, openWriter } from './writer.js';

interface Stored extends MadeOfTable {
  readonly made: StoredTable<this['row']>;
}

/** All tables, for reading through a connection. */
export const openTables = (db: Database.Database) => ofEachTable<Stored>((table) => storedTable(db, table));
export type StoredTables = ReturnType<typeof openTables>;

/** The open file: its rows, and how far they are. */
export interface Session {
  /** For reading. */
  readonly db: Database.Database;
  readonly rows: StoredTables;
  readonly index: EventIndex;
  /** Why the file was made anew; null when it goes on. */
  readonly madeAnew: string | null;
  /** What is committed. */
  readonly progress: () => Progress;
  /**
   * Writes the rows that were put and the new progress in one transaction, or none of it. Rejects also when another
   * process wrote meanwhile. Not twice at once. With `erases` no file of it shows afterwards what was there before. Answers the ids of the match runs whose rows changed.
   */
  readonly commit: (next: Progress, erases: boolean) => Promise<ReadonlyArray<string>>;
  /** About how many characters of rows were put and are not yet being written. */
  readonly unwrittenSize: () => number;
  /** Keeps a snapshot of a stream some time later, or not at all. */
  readonly keep: Writer['keep'];
  /** Forgets what is not committed and looks up anew how far the file is. */
  readonly forget: () => void;
  readonly close: () => Promise<void>;
}

/** What is read of a file when it is opened. */
const openParts = (db: Database.Database) => ({
  rows: openTables(db),
  index: createEventIndex(db),
  stored: readProgressRow(db),
});

/** Opens the file, anew when it is found damaged; throws when it cannot be used. */
const openChecked = (file: string, shape: string) => {
  const opened = openDatabase(file, shape);
  try {
    return { ...opened, ...openParts(opened.db) };
  } catch (error) {
    opened.db.close();
    if (!isDamage(error)) throw error;
    removeDatabase(file);
    const { db } = openDatabase(file, shape);
    return { db, madeAnew: reasonOf(error), ...openParts(db) };
  }
};

/** Opens the file, anew when it has to be; throws when it cannot be used. */
export const openSession = (file: string, shape: string): Session => {
  const { db, madeAnew, rows, index, stored } = openChecked(file, shape);
  const all = Object.values(rows);
  let progress: ProgressRow = stored;
  const writer = openWriter(file);
  return {
    db,
    rows,
    index,
    madeAnew,
    progress: () => progress,
    commit: async (next, erases) => {
      const changes = all.flatMap((table) => table.changes() ?? []);
      const { sums } = progress;
      const written = { from: progress, to: next, sums, tables: changes, index: index.changes(), erases };
      progress = { ...next, sums: await writer.write(written) };
      const settled = new Map(all.map((table) => [table, table.settle()] as const));
      return settled.get(rows.matchRuns) ?? [];
    },
    unwrittenSize: () => all.reduce((sum, table) => sum + table.unwrittenSize(), 0),
    keep: writer.keep,
    forget: () => {
      all.forEach((table) => table.forget());
      index.forget();
      progress = readProgressRow(db);
    },
    close: async () => {
      await writer.close();
      E.tryCatch(() => db.exec('PRAGMA wal_checkpoint(TRUNCATE)'), identity);
      db.close();
    },
  };
};
