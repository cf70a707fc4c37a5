import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import * as E from 'fp-ts/lib/Either.js';
import { identity } from 'fp-ts/lib/function.js';
import Database from 'libsql';
import { type MadeOfTable, ofEachTable } from '../../projections/memory-rows.js';
import { compiledScript } from '../runtime/package-files.js';
import { type Batch, Written } from './changes.js';
import type { TableSums } from './checksum.js';
import type { SnapshotRow } from './snapshots.js';
import { isDamage, reasonOf } from './damage.js';
import { openDatabase, removeDatabase } from './database.js';
import { type EventIndex, createEventIndex } from './event-index/event-index.js';
import { type Progress, type ProgressRow, readProgressRow } from './progress-row.js';
import { type StoredTable, storedTable } from './stored-table.js';

/** A connection that writes on a thread of its own, so that neither rows nor a disk hold the service up. */
interface Writer {
  /**
   * Writes the batch in one transaction, and gives the sums of the tables after it; keeps none of it and rejects when it
   * fails. Not twice at once.
   */
  readonly write: (batch: Batch) => Promise<TableSums>;
  /** Keeps a snapshot once what is being written is, unless that fails. */
  readonly keep: (snapshot: SnapshotRow) => void;
  /** Resolves once the thread has closed its connection. */
  readonly close: () => Promise<void>;
}

/** The batch was not written; `code` is SQLite's. */
class WriteFailed extends Error {
  override readonly name = 'WriteFailed';
  readonly code: string | null;
  constructor(message: string, code: string | null) {
    super(message);
    this.code = code;
  }
}

interface Thread {
  readonly worker: Worker;
  /** The next answer; rejects when the thread ends first. */
  readonly answer: () => Promise<unknown>;
  readonly hasEnded: () => boolean;
}

const start = (file: string): Thread => {
  const worker = new Worker(compiledScript('read-models/writer-thread.js'), { workerData: file });
  let isOver = false;
  let fail: ((failure: WriteFailed) => void) | null = null;
  const end = (reason: string): void => {
    isOver = true;
    fail?.(new WriteFailed(reason, null));
  };
  worker.once('error', (error) => end(`the thread that writes failed: ${error.message}`));
  worker.once('exit', () => end('the thread that writes has ended'));
  worker.unref();
  return {
    worker,
    // Not a race with one promise for the end: that would keep every answer for as long as the thread lives.
    answer: () =>
      new Promise((resolve, reject) => {
        fail = reject;
        worker.once('message', resolve);
      }),
    hasEnded: () => isOver,
  };
};

/** Opens the writer of a file that has its tables. A thread that ended is started again with the next batch. */
export const openWriter = (file: string): Writer => {
  let thread: Thread | null = start(file);
  return {
    write: async (batch) => {
      if (thread === null || thread.hasEnded()) thread = start(file);
      const { worker, answer } = thread;
      worker.postMessage(batch, []);
      worker.ref();
      try {
        const written = await answer();
        if (!Written.is(written)) throw new WriteFailed('the thread that writes gave no answer', null);
        if (written.ok) return written.sums;
        throw new WriteFailed(written.message, written.code);
      } finally {
        worker.unref();
      }
    },
    keep: (snapshot) => {
      if (thread !== null && !thread.hasEnded()) thread.worker.postMessage(snapshot, []);
    },
    close: async () => {
      if (thread === null || thread.hasEnded()) return;
      const { worker } = thread;
      thread = null;
      const exited = once(worker, 'exit');
      worker.ref();
      worker.postMessage('close', []);
      await exited;
    },
  };
};

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
