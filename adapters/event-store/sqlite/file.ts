import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as E from 'fp-ts/lib/Either.js';
import Database from 'libsql';
import type { StoreUnavailable } from '../../../application/ports/event-store.js';
import type { Position } from '../../../domain/kernel/recorded-event.js';
import { remedy, toPosition } from './event-row.js';

const codeOf = (cause: unknown): string =>
  cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : '';

const isDamage = (cause: unknown): boolean => /^SQLITE_(CORRUPT|NOTADB)/.test(codeOf(cause));

/** What went wrong, and what to do where the file is damaged. */
export const reasonOf = (cause: unknown): string => {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return isDamage(cause) ? `the event log is damaged: ${reason}; ${remedy}` : reason;
};

/** An exception as a failure of the port. */
export const unavailable = (cause: unknown): StoreUnavailable => ({
  _tag: 'StoreUnavailable',
  reason: reasonOf(cause),
});

/** Runs code that may throw and returns its exception as a value. */
export const attempt = <A>(work: () => A): E.Either<StoreUnavailable, A> => E.tryCatch(work, unavailable);

/** Whether another process holds the lock. */
export const isBusy = (cause: unknown): boolean => codeOf(cause).startsWith('SQLITE_BUSY');

/** Whether a unique constraint was violated. */
export const isUniqueViolation = (cause: unknown): boolean => codeOf(cause) === 'SQLITE_CONSTRAINT_UNIQUE';

const rollBack = (db: Database.Database): void => {
  if (db.inTransaction) db.exec('ROLLBACK');
};

/** Runs the work under the write lock and commits it; rolls everything back when it throws. */
export const inTransaction = <A>(db: Database.Database, work: () => A): A => {
  rollBack(db);
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    rollBack(db);
    throw error;
  }
};

/** Marks a file as an event log of this service: the letters `MELG`. */
const applicationId = 0x4d454c47;

/** Increased with each change of the tables; a file of another version is not opened. */
const version = 1;

/** The statements that turn an empty file into a log. */
export const tables: ReadonlyArray<string> = [
  `CREATE TABLE events (
    position INTEGER PRIMARY KEY,
    stream TEXT NOT NULL,
    category TEXT NOT NULL,
    revision INTEGER NOT NULL,
    event_id TEXT NOT NULL UNIQUE,
    type TEXT NOT NULL,
    data TEXT NOT NULL,
    metadata TEXT NOT NULL,
    UNIQUE (stream, revision)
  ) STRICT`,
  'CREATE INDEX events_by_type ON events (type)',
  'CREATE INDEX events_by_category ON events (category)',
  `CREATE TRIGGER events_are_never_deleted BEFORE DELETE ON events
    BEGIN SELECT RAISE(ABORT, 'an event log is append-only'); END`,
  `CREATE TRIGGER events_are_never_changed BEFORE UPDATE ON events
    BEGIN SELECT RAISE(ABORT, 'an event log is append-only'); END`,
  'CREATE TABLE checkpoints (process TEXT PRIMARY KEY, position INTEGER NOT NULL) STRICT',
];

/** The statements that mark a file as a log with these tables. */
export const marks: ReadonlyArray<string> = [
  `PRAGMA application_id = ${applicationId}`,
  `PRAGMA user_version = ${version}`,
];

const numberOf = (db: Database.Database, sql: string): number => {
  const row: unknown = db.prepare(sql).raw(true).get();
  const value: unknown = Array.isArray(row) ? row[0] : undefined;
  if (typeof value !== 'number') throw new Error(`${sql} gave no number`);
  return value;
};

/** Throws if the file is not a log, is of another version, or its newest event cannot be found. */
const refuseForeign = (db: Database.Database): void => {
  if (numberOf(db, 'PRAGMA application_id') !== applicationId) throw new Error('it is not an event log');
  const found = numberOf(db, 'PRAGMA user_version');
  if (found !== version) throw new Error(`its schema has version ${found}, this program expects version ${version}`);
  numberOf(db, 'SELECT coalesce(max(position), 0) FROM events');
};

const settings = [
  'PRAGMA busy_timeout = 5000',
  'PRAGMA journal_mode = WAL',
  'PRAGMA synchronous = FULL',
  'PRAGMA cache_size = -65536',
  'PRAGMA wal_autocheckpoint = 2000',
  'PRAGMA journal_size_limit = 67108864',
];

const prepareToWrite = (db: Database.Database): void => {
  settings.forEach((setting) => db.exec(setting));
  inTransaction(db, () => {
    if (numberOf(db, 'SELECT count(*) FROM sqlite_master') === 0) db.exec([...tables, ...marks].join(';\n'));
    else refuseForeign(db);
  });
  db.exec('PRAGMA busy_timeout = 50');
};

const prepareToRead = (db: Database.Database): void => {
  db.exec('PRAGMA busy_timeout = 5000');
  refuseForeign(db);
};

const isWritable = (place: string): boolean => {
  try {
    accessSync(place, constants.W_OK);
    return true;
  } catch {
    return false;
  }
};

/**
 * Checked beforehand because SQLite reports an unwritable file only at the first write, and other faults only as
 * numbers.
 */
const checkWritable = (file: string): void => {
  const there = statSync(file, { throwIfNoEntry: false });
  if (there?.isDirectory() === true) throw new Error('it is a folder');
  if (!existsSync(dirname(file))) throw new Error('its folder does not exist');
  for (const place of [dirname(file), ...(there === undefined ? [] : [file])])
    if (!isWritable(place)) throw new Error(`writing to ${place} is not permitted`);
};

/** What opens a database and prepares it. Closes it and throws, naming the file, when that fails. */
const opened = (
  what: string,
  file: string,
  open: () => Database.Database,
  prepare: (db: Database.Database) => void,
): Database.Database => {
  try {
    const db = open();
    try {
      prepare(db);
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  } catch (cause) {
    throw new Error(`Cannot ${what} the event log ${file}: ${reasonOf(cause)}`, { cause });
  }
};

/**
 * Opens the log file, durable at each commit; creates it when it is missing. Throws when the file cannot be used. A
 * lock held by another process blocks this one for at most 50 ms.
 */
export const openDatabase = (file: string): Database.Database =>
  opened(
    'open',
    file,
    () => {
      checkWritable(file);
      return new Database(file);
    },
    prepareToWrite,
  );

/**
 * Opens a log file read-only; a service may be writing to it. Throws when the file is missing or is not a log. SQLite
 * creates files beside the log even for reading; where it may not, and no other process has the log open, the file is
 * opened as immutable.
 */
export const openReadOnly = (file: string): Database.Database =>
  opened(
    'read',
    file,
    () => {
      if (!existsSync(file)) throw new Error('the file does not exist');
      const isShared = isWritable(dirname(file)) || existsSync(`${file}-wal`);
      return new Database(isShared ? file : `${pathToFileURL(file).href}?immutable=1`, { readonly: true });
    },
    prepareToRead,
  );

/** The head position of a log, and how many events follow a position. */
export interface LogExtent {
  /** Null when the log is empty. */
  readonly head: Position | null;
  readonly after: number;
}

/** Looks at a log file without writing to it; a service may be using it. Throws when it cannot be read. */
export const logExtent = (file: string, position: Position | null): LogExtent => {
  const db = openReadOnly(file);
  try {
    const head = numberOf(db, 'SELECT coalesce(max(position), 0) FROM events');
    const after = numberOf(db, `SELECT count(*) FROM events WHERE position > ${Number(position ?? 0)}`);
    return { head: head === 0 ? null : toPosition(head), after };
  } finally {
    db.close();
  }
};
