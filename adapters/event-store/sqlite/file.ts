import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as E from 'fp-ts/lib/Either.js';
import { constVoid } from 'fp-ts/lib/function.js';
import Database from 'libsql';
import type { OnProgress } from '../../../application/audit/read-log.js';
import type { StoreUnavailable } from '../../../application/ports/event-store.js';
import { type Position, positionIn as positionOfWidth, streamCategory } from '../../../domain/kernel/recorded-event.js';
import type { Fault } from '../../../projections/audit/fault.js';
import { parsedJson } from '../../runtime/json.js';
import { inTransaction, query, utf8Of } from '../../runtime/sqlite.js';

const positionDigits = 16;

/** A row number as a text of fixed width, so that positions sort as texts in the order of the log. */
export const toPosition = (row: number): Position => String(row).padStart(positionDigits, '0');

/** The position that a text names; null if it is none of this store. */
export const positionIn = (text: string): Position | null => positionOfWidth(text, positionDigits);

/**
 * The row number of a position; 0 for null, which is before the first event. Throws on a text that is not a position of
 * this store.
 */
export const toRow = (position: Position | null): number => {
  if (position !== null && positionIn(position) !== position)
    throw new Error(`"${position}" is not a position of this store`);
  return Number(position);
};

/** What to do about a damaged log. */
export const remedy = 'restore it from a backup ("media-analysis audit verify" lists all faults)';

const codeOf = (cause: unknown): string =>
  cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : '';

/** An exception as a failure of the port, which says what to do where the file is damaged. */
export const unavailable = (cause: unknown): StoreUnavailable => {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const isDamage = /^SQLITE_(CORRUPT|NOTADB)/.test(codeOf(cause));
  return { _tag: 'StoreUnavailable', reason: isDamage ? `the event log is damaged: ${reason}; ${remedy}` : reason };
};

/** Runs code that may throw and returns its exception as a value. */
export const attempt = <A>(work: () => A): E.Either<StoreUnavailable, A> => E.tryCatch(work, unavailable);

/** Whether another process holds the lock. */
export const isBusy = (cause: unknown): boolean => codeOf(cause).startsWith('SQLITE_BUSY');

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

const firstValue = (db: Database.Database, sql: string): unknown => query(db, sql).first()[0];

/** Throws if the file is not a log, is of another version, or its newest event cannot be found. */
const refuseForeign = (db: Database.Database): void => {
  if (firstValue(db, 'PRAGMA application_id') !== applicationId) throw new Error('it is not an event log');
  const found = firstValue(db, 'PRAGMA user_version');
  if (found !== version)
    throw new Error(`its schema has version ${String(found)}, this program expects version ${version}`);
  firstValue(db, 'SELECT max(position) FROM events');
};

const settings = [
  'PRAGMA busy_timeout = 5000',
  'PRAGMA journal_mode = WAL',
  'PRAGMA synchronous = FULL',
  'PRAGMA cache_size = -65536',
  'PRAGMA wal_autocheckpoint = 2000',
  'PRAGMA journal_size_limit = 67108864',
];

const isWritable = (place: string): boolean => E.isRight(attempt(() => accessSync(place, constants.W_OK)));

/** SQLite reports an unwritable file only at the first write, and other faults only as numbers. */
const checkWritable = (file: string): void => {
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory() === true) throw new Error('it is a folder');
  if (!existsSync(dirname(file))) throw new Error('its folder does not exist');
  const unwritable = [dirname(file), file].find((place) => existsSync(place) && !isWritable(place));
  if (unwritable !== undefined) throw new Error(`writing to ${unwritable} is not permitted`);
};

/** Prepares an opened database. Closes it and throws, naming the file, when it cannot be opened or prepared. */
const opened = (
  what: string,
  file: string,
  open: () => Database.Database,
  prepare: (db: Database.Database) => void,
): Database.Database => {
  let db: Database.Database | null = null;
  try {
    db = open();
    prepare(db);
    return db;
  } catch (cause) {
    db?.close();
    throw new Error(`Cannot ${what} the event log ${file}: ${unavailable(cause).reason}`, { cause });
  }
};

/**
 * Opens the log file, durable at each commit; creates it when it is missing. Throws when the file cannot be used. A
 * lock held by another process blocks this one for at most 50 ms.
 */
export const openDatabase = (file: string): Database.Database => {
  const open = (): Database.Database => {
    checkWritable(file);
    return new Database(file);
  };
  return opened('open', file, open, (db) => {
    settings.forEach((setting) => db.exec(setting));
    inTransaction(db, () => {
      if (firstValue(db, 'SELECT count(*) FROM sqlite_master') === 0) db.exec([...tables, ...marks].join(';\n'));
      else refuseForeign(db);
    });
    db.exec('PRAGMA busy_timeout = 50');
  });
};

/**
 * Opens a log file read-only; a service may be writing to it. Throws when the file is missing or is not a log. SQLite
 * creates files beside the log even for reading; where it may not, and no other process has the log open, the file is
 * opened as immutable.
 */
export const openReadOnly = (file: string): Database.Database => {
  const open = (): Database.Database => {
    if (!existsSync(file)) throw new Error('the file does not exist');
    const isShared = isWritable(dirname(file)) || existsSync(`${file}-wal`);
    return new Database(isShared ? file : `${pathToFileURL(file).href}?immutable=1`, { readonly: true });
  };
  return opened('read', file, open, (db) => {
    db.exec('PRAGMA busy_timeout = 5000');
    refuseForeign(db);
  });
};

/** Works with a log file opened read-only. */
const reading = <A>(file: string, work: (db: Database.Database) => A): A => {
  const db = openReadOnly(file);
  try {
    return work(db);
  } finally {
    db.close();
  }
};

const nowhere = { position: null, stream: null, revision: null };
const broken = (message: string, place: Pick<Fault, keyof typeof nowhere> = nowhere): Fault => ({
  ...place,
  kind: 'broken_storage',
  message,
});

/** Texts are read as bytes because libsql ends the process when a text is not valid UTF-8. */
const textsOf = (db: Database.Database, sql: string): ReadonlyArray<string> =>
  query(db, sql)
    .all()
    .map(([text]) => utf8Of(text) ?? 'a text that is not valid UTF-8');

/** A statement in comparable form: white space does not matter. */
const plain = (sql: string): string => sql.replaceAll(/\s+/g, ' ').trim();

/** Tables, indexes and triggers that the file should have and does not. */
const missingParts = (db: Database.Database): ReadonlyArray<Fault> => {
  const there = new Set(textsOf(db, 'SELECT CAST(sql AS BLOB) FROM sqlite_master WHERE sql IS NOT NULL').map(plain));
  const missing = tables.filter((sql) => !there.has(plain(sql)));
  return missing.map((sql) => {
    const [, kind = '', name = ''] = /^CREATE (\w+) (\w+)/.exec(sql) ?? [];
    const purpose = kind === 'TRIGGER' ? ', which protects the log,' : '';
    return broken(`the ${kind.toLowerCase()} ${name}${purpose} is missing from the file or was changed`);
  });
};

/** What SQLite's own check finds; damage that ends the check is a fault too. */
const foundBySqlite = (db: Database.Database, check: 'quick_check' | 'integrity_check'): ReadonlyArray<Fault> => {
  try {
    return textsOf(db, `SELECT CAST(${check} AS BLOB) FROM pragma_${check}(10)`)
      .filter((line) => line !== 'ok')
      .map((line) => broken(`SQLite finds the file damaged: ${line}`));
  } catch (cause) {
    return [broken(unavailable(cause).reason)];
  }
};

/** Whether a text is exactly the JSON that this service writes for its value. */
const isWritten = (text: string | undefined): boolean => JSON.stringify(parsedJson(text ?? '')) === text;

const textColumns = ['stream', 'category', 'event_id', 'type', 'data', 'metadata'];

const missingBefore = (from: number, to: number): string =>
  from >= to ? `the event at position #${from} is missing` : `the events at positions #${from} to #${to} are missing`;

const rowFaults = (row: ReadonlyArray<unknown>, before: number): ReadonlyArray<Fault> => {
  const [position, revision, ...columns] = row;
  const texts = columns.map(utf8Of);
  const [stream = '', category, , , data, metadata] = texts.map((text) => text ?? '');
  const place = { position: toPosition(Number(position)), stream, revision: Number(revision) };
  const fault = (message: string): Fault => broken(message, place);
  const unreadable = textColumns.filter((_, index) => texts[index] === null);
  if (unreadable.length > 0) return unreadable.map((column) => fault(`its ${column} is not valid UTF-8`));
  return [
    ...(Number(position) === before + 1 ? [] : [fault(missingBefore(before + 1, Number(position) - 1))]),
    ...(category === streamCategory(stream) ? [] : [fault('its category is not that of its stream')]),
    ...(isWritten(data) ? [] : [fault('its data is not JSON as it was written')]),
    ...(isWritten(metadata) ? [] : [fault('its metadata is not JSON as it was written')]),
  ];
};

const pageSize = 100;
const maxFaults = 1_000;

/**
 * Checks what the port does not show: the file itself, its tables, gaps in positions, categories, and that every text
 * is as it was written. The events themselves are checked elsewhere.
 */
export const inspectDatabase = (db: Database.Database, onProgress: OnProgress = constVoid): ReadonlyArray<Fault> => {
  const faults = [...missingParts(db)];
  const page = query(
    db,
    `SELECT position, revision, ${textColumns.map((column) => `CAST(${column} AS BLOB)`).join(', ')} FROM events
     WHERE position > ? ORDER BY position LIMIT ${pageSize}`,
  );
  const all = Number(firstValue(db, 'SELECT count(*) FROM events'));
  let [before, events] = [0, 0];
  for (let rows = page.all(0); rows.length > 0 && faults.length < maxFaults; rows = page.all(before)) {
    for (const row of rows) {
      faults.push(...rowFaults(row, before));
      before = Number(row[0]);
    }
    events += rows.length;
    onProgress({ events, share: Math.min(1, events / all), counted: 'rows of the file' });
  }
  return [...faults, ...foundBySqlite(db, 'integrity_check')];
};

/** The same for a file, which is opened read-only. */
export const inspectFile = (file: string, onProgress?: OnProgress): ReadonlyArray<Fault> =>
  reading(file, (db) => inspectDatabase(db, onProgress));

/** What prevents the use of a log file; null if nothing does. Its pages are checked too if `thoroughly`. */
export const damageOfFile = (file: string, thoroughly: boolean): string | null => {
  try {
    return reading(file, (db) => {
      const [fault] = thoroughly ? [...missingParts(db), ...foundBySqlite(db, 'quick_check')] : [];
      return fault?.message ?? null;
    });
  } catch (error) {
    return error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
  }
};
