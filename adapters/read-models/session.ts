import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import * as E from 'fp-ts/lib/Either.js';
import { identity } from 'fp-ts/lib/function.js';
import Database from 'libsql';
import { type TableMapping, mapTables } from '../../projections/memory-rows.js';
import { compiledScript } from '../runtime/package-files.js';
import { type Batch, Written } from './changes.js';
import type { TableSums } from './checksum.js';
import type { SnapshotRow } from './snapshots.js';
import { isDamage, reasonOf } from './damage.js';
import { openDatabase, removeDatabase } from './database.js';
import type { AwaitedChanges } from './waiters.js';
import { type EventIndex, createEventIndex } from './event-index/event-index.js';
import { type Progress, type ProgressRow, readProgressRow } from './progress-row.js';
import { type StoredTable, storedTable } from './stored-table.js';

/** A connection that writes on a separate thread, so that neither serialising rows nor the disk blocks the service. */
interface Writer {
  /**
   * Writes the batch in one transaction and returns the checksums of the tables after it; rejects, with nothing
   * written, when it fails. Must not be called while another write is pending.
   */
  readonly write: (batch: Batch) => Promise<TableSums>;
  /** Saves a snapshot after the pending write; failures are ignored. */
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
  /** The next answer; rejects if the thread ends first. */
  readonly answer: () => Promise<unknown>;
  readonly hasEnded: () => boolean;
}

const start = (file: string): Thread => {
  const worker = new Worker(compiledScript('read-models/writer-thread.js'), { workerData: file });
  let ended = false;
  let fail: ((failure: WriteFailed) => void) | null = null;
  const end = (reason: string): void => {
    ended = true;
    fail?.(new WriteFailed(reason, null));
  };
  worker.once('error', (error) => end(`the thread that writes failed: ${error.message}`));
  worker.once('exit', () => end('the thread that writes has ended'));
  worker.unref();
  return {
    worker,
    // Not `Promise.race` with one promise for the end: that would keep every answer in memory for as long as the thread
    // lives.
    answer: () =>
      new Promise((resolve, reject) => {
        fail = reject;
        worker.once('message', resolve);
      }),
    hasEnded: () => ended,
  };
};

/** Opens the writer of a file whose tables exist. If the thread has ended, the next batch starts it again. */
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

interface Stored extends TableMapping {
  readonly made: StoredTable<this['row']>;
}

/** All tables, for reading through a connection. */
export const openTables = (db: Database.Database) => mapTables<Stored>((table) => storedTable(db, table));
export type StoredTables = ReturnType<typeof openTables>;

/** The open file: its rows and its progress. */
export interface Session {
  /** For reading. */
  readonly db: Database.Database;
  readonly rows: StoredTables;
  readonly index: EventIndex;
  /** Why the file was created empty; null when it continues. */
  readonly rebuildReason: string | null;
  /** What is committed. */
  readonly progress: () => Progress;
  /**
   * Writes the pending rows and the new progress in one transaction, or nothing; rejects also when another process has
   * written meanwhile. Must not be called while another commit is pending. With `erases`, replaced content remains in
   * no file. Returns what changed of the rows that can be waited for.
   */
  readonly commit: (next: Progress, erases: boolean) => Promise<AwaitedChanges>;
  /** The approximate number of characters of rows that are pending and not being written yet. */
  readonly unwrittenSize: () => number;
  /** Saves a snapshot of a stream eventually; it may be lost. */
  readonly keep: Writer['keep'];
  /** Discards what is not committed and reads the progress again. */
  readonly forget: () => void;
  readonly close: () => Promise<void>;
}

/** What is read from a file when it is opened. */
const openParts = (db: Database.Database) => ({
  rows: openTables(db),
  index: createEventIndex(db),
  stored: readProgressRow(db),
});

/** Opens the file; rebuilds it when it is found damaged. Throws when it cannot be used. */
const openChecked = (file: string, shape: string) => {
  const opened = openDatabase(file, shape);
  try {
    return { ...opened, ...openParts(opened.db) };
  } catch (error) {
    opened.db.close();
    if (!isDamage(error)) throw error;
    removeDatabase(file);
    const { db } = openDatabase(file, shape);
    return { db, rebuildReason: reasonOf(error), ...openParts(db) };
  }
};

/** Opens the file; rebuilds it when necessary. Throws when it cannot be used. */
export const openSession = (file: string, shape: string): Session => {
  const { db, rebuildReason, rows, index, stored } = openChecked(file, shape);
  const all = Object.values(rows);
  let progress: ProgressRow = stored;
  const writer = openWriter(file);
  return {
    db,
    rows,
    index,
    rebuildReason,
    progress: () => progress,
    commit: async (next, erases) => {
      const changes = all.flatMap((table) => table.changes() ?? []);
      const { sums } = progress;
      const written = { from: progress, to: next, sums, tables: changes, index: index.changes(), erases };
      progress = { ...next, sums: await writer.write(written) };
      const committed = new Map(all.map((table) => [table, table.committedChanges()] as const));
      const changed = (table: (typeof all)[number]): ReadonlyArray<string> => committed.get(table) ?? [];
      return {
        runs: changed(rows.matchRuns),
        videos: changed(rows.videos).length > 0,
        audios: changed(rows.audios).length > 0,
      };
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
