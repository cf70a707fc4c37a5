import type Database from 'libsql';
import { inTransaction } from './transaction.js';

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

/** Throws if the file is not a log, or is of another version. */
export const refuseForeign = (db: Database.Database): void => {
  if (numberOf(db, 'PRAGMA application_id') !== applicationId) throw new Error('it is not an event log');
  const found = numberOf(db, 'PRAGMA user_version');
  if (found !== version) throw new Error(`its schema has version ${found}, this program expects version ${version}`);
};

/** Creates the tables in an empty file; throws if the file holds something else or another version. */
export const ensureSchema = (db: Database.Database): void =>
  inTransaction(db, () => {
    if (numberOf(db, 'SELECT count(*) FROM sqlite_master') === 0) db.exec([...tables, ...marks].join(';\n'));
    else refuseForeign(db);
  });
