import * as E from 'fp-ts/lib/Either.js';
import { identity } from 'fp-ts/lib/function.js';
import type Database from 'libsql';
import type { Position } from '../../domain/kernel/recorded-event.js';
import { tables } from '../../projections/tables.js';
import { openDatabase } from './database.js';
import { columnsOf } from './row-json.js';
import { storedTable } from './stored-table.js';

/** How far the rows are, and of which log. */
export interface Progress {
  readonly position: Position | null;
  /** The id of the first event that the projections read; null before there was one. */
  readonly log_id: string | null;
}

const openTables = (db: Database.Database) => ({
  videos: storedTable(db, tables.videos),
  audios: storedTable(db, tables.audios),
  matchRuns: storedTable(db, tables.matchRuns),
  lateArrivals: storedTable(db, tables.lateArrivals),
  lateWrites: storedTable(db, tables.lateWrites),
  accounts: storedTable(db, tables.accounts),
  apiKeys: storedTable(db, tables.apiKeys),
});
export type StoredTables = ReturnType<typeof openTables>;

/** The open file: its rows, and how far they are. */
export interface Session {
  readonly db: Database.Database;
  readonly rows: StoredTables;
  /** Why the file was made anew; null when it goes on. */
  readonly madeAnew: string | null;
  readonly progress: () => Progress;
  /** Writes the rows that were put and the new progress in one transaction; keeps none of it when anything throws. */
  readonly commit: (next: Progress) => void;
  /** Forgets what was put and looks up anew how far the file is. */
  readonly forget: () => void;
  readonly close: () => void;
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** Opens the file, anew when it has to be; throws when it cannot be used. */
export const openSession = (file: string, shape: string): Session => {
  const { db, madeAnew } = openDatabase(file, shape);
  const rows = openTables(db);
  const select = db.prepare('SELECT value FROM progress WHERE name = ?').raw(true);
  const save = db.prepare(
    'INSERT INTO progress (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
  );
  const stored = (): Progress => ({
    position: textOrNull(columnsOf(select.get('position'))[0]),
    log_id: textOrNull(columnsOf(select.get('log_id'))[0]),
  });
  let progress = stored();
  const write = (next: Progress): void => {
    if (stored().position !== progress.position) throw new Error('another process writes the same read models');
    Object.values(rows).forEach((table) => table.write());
    save.run('position', next.position);
    if (next.log_id !== progress.log_id) save.run('log_id', next.log_id);
  };
  return {
    db,
    rows,
    madeAnew,
    progress: () => progress,
    commit: (next) => {
      db.exec('BEGIN IMMEDIATE');
      try {
        write(next);
        db.exec('COMMIT');
      } finally {
        if (db.inTransaction) db.exec('ROLLBACK');
      }
      Object.values(rows).forEach((table) => table.settle());
      progress = next;
    },
    forget: () => {
      Object.values(rows).forEach((table) => table.forget());
      progress = stored();
    },
    close: () => {
      E.tryCatch(() => db.exec('PRAGMA wal_checkpoint(TRUNCATE)'), identity);
      db.close();
    },
  };
};
