import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import Database from 'libsql';
import { ensureSchema, refuseForeign } from './schema.js';

const settings = [
  'PRAGMA journal_mode = WAL',
  'PRAGMA synchronous = FULL',
  'PRAGMA cache_size = -65536',
  'PRAGMA wal_autocheckpoint = 2000',
  'PRAGMA journal_size_limit = 67108864',
];

const prepareFile = (db: Database.Database): void => {
  db.exec('PRAGMA busy_timeout = 5000');
  settings.forEach((setting) => db.exec(setting));
  ensureSchema(db);
  db.exec('PRAGMA busy_timeout = 50');
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

/**
 * Opens the log file, durable at each commit; creates it when it is missing. Throws when the file cannot be used. A
 * lock held by another process blocks this one for at most 50 ms.
 */
export const openDatabase = (file: string): Database.Database => {
  try {
    checkWritable(file);
    const db = new Database(file);
    try {
      prepareFile(db);
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  } catch (cause) {
    throw new Error(`Cannot open the event log ${file}: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
  }
};

/**
 * The file name for reading. SQLite creates files beside the log even for reading. Where it may not, and no other
 * process has the log open, the file is opened as immutable.
 */
const readOnlyName = (file: string): string =>
  isWritable(dirname(file)) || existsSync(`${file}-wal`) ? file : `${pathToFileURL(file).href}?immutable=1`;

/** The path of the file that a connection uses. */
export const fileOf = (db: Database.Database): string => {
  const row: unknown = db.prepare("SELECT file FROM pragma_database_list WHERE name = 'main'").raw(true).get();
  const file: unknown = Array.isArray(row) ? row[0] : null;
  if (typeof file !== 'string' || file === '') throw new Error('the event log has no file');
  return file;
};

/** Opens a log file read-only, without any checks. */
export const connectReadOnly = (file: string): Database.Database =>
  new Database(readOnlyName(file), { readonly: true });

/** Opens a log file read-only; a service may be writing to it. Throws when the file is missing or is not a log. */
export const openReadOnly = (file: string): Database.Database => {
  try {
    if (!existsSync(file)) throw new Error('the file does not exist');
    const db = connectReadOnly(file);
    try {
      db.exec('PRAGMA busy_timeout = 5000');
      refuseForeign(db);
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  } catch (cause) {
    throw new Error(`Cannot read the event log ${file}: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
  }
};
