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

const mayWrite = (place: string): boolean => {
  try {
    accessSync(place, constants.W_OK);
    return true;
  } catch {
    return false;
  }
};

/** SQLite tells of a file that it cannot write only with the first row, and of others in numbers. */
const checkWritable = (file: string): void => {
  const there = statSync(file, { throwIfNoEntry: false });
  if (there?.isDirectory() === true) throw new Error('it is a folder');
  if (!existsSync(dirname(file))) throw new Error('its folder is not there');
  for (const place of [dirname(file), ...(there === undefined ? [] : [file])])
    if (!mayWrite(place)) throw new Error(`writing to ${place} is not permitted`);
};

/**
 * Opens the log's file, durable at each commit, and creates it when it is missing. Throws on a file that cannot be
 * used. A lock held by another process blocks this one for 50 ms at most.
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
 * A log's file as it is opened to be read. SQLite wants to put files of its own beside it, even then. Where it may not,
 * and nobody else has it open, it is told that the file does not change.
 */
const toRead = (file: string): string =>
  mayWrite(dirname(file)) || existsSync(`${file}-wal`) ? file : `${pathToFileURL(file).href}?immutable=1`;

/** The path of a connection's file. */
export const fileOf = (db: Database.Database): string => {
  const row: unknown = db.prepare("SELECT file FROM pragma_database_list WHERE name = 'main'").raw(true).get();
  const file: unknown = Array.isArray(row) ? row[0] : null;
  if (typeof file !== 'string' || file === '') throw new Error('the event log has no file');
  return file;
};

/** A connection that reads a log's file and checks nothing. */
export const connectReadOnly = (file: string): Database.Database => new Database(toRead(file), { readonly: true });

/** Opens a log's file to read it, also while a service writes it. Throws on a file that is missing or no log. */
export const openReadOnly = (file: string): Database.Database => {
  try {
    if (!existsSync(file)) throw new Error('there is no such file');
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
