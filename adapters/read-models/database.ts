import { existsSync, rmSync, statSync } from 'node:fs';
import Database from 'libsql';
import { utf8Of } from '../runtime/sqlite.js';
import { DamagedFile, isDamage, reasonOf } from './damage.js';
import { applicationId } from './check-file.js';
import { schema } from './schema.js';
import { progressColumns } from './write-batch.js';

const settings = [
  'PRAGMA busy_timeout = 50',
  'PRAGMA journal_mode = WAL',
  'PRAGMA synchronous = NORMAL',
  'PRAGMA cache_size = -8192',
];

export interface OpenedDatabase {
  readonly db: Database.Database;
  /** Why the file was created empty; null when it continues. */
  readonly rebuildReason: string | null;
}

const valueOf = (db: Database.Database, sql: string, ...values: ReadonlyArray<string>): unknown => {
  const row: unknown = db
    .prepare(sql)
    .raw(true)
    .get(...values);
  return Array.isArray(row) ? row[0] : undefined;
};

const create = (db: Database.Database, shape: string): void => {
  db.exec('BEGIN IMMEDIATE');
  db.exec(schema);
  db.prepare('INSERT INTO progress (shape, position, details, checksum) VALUES (?, ?, ?, ?)').run(
    shape,
    ...progressColumns({ position: null, log_id: null, last: null, unopened: [] }, {}),
  );
  db.exec('COMMIT');
};

/** Throws `DamagedFile` when the file contains read models but has to be rebuilt. */
const check = (db: Database.Database, shape: string): void => {
  if (valueOf(db, 'PRAGMA application_id') !== applicationId) throw new Error('it is a database of something else');
  if (utf8Of(valueOf(db, 'SELECT CAST(shape AS BLOB) FROM progress')) !== shape)
    throw new DamagedFile('the read models have changed');
};

const openFile = (file: string, shape: string): { db: Database.Database; isNew: boolean } => {
  const db = new Database(file);
  try {
    settings.forEach((setting) => db.exec(setting));
    const isNew = valueOf(db, 'SELECT count(*) FROM sqlite_master') === 0;
    if (isNew) create(db, shape);
    else {
      check(db, shape);
      // A process that was killed during an erasure may have left copies of deleted content in the write-ahead log.
      db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    }
    return { db, isNew };
  } catch (error) {
    db.close();
    throw error;
  }
};

/** Whether the file exists and is not empty. */
export const hasContent = (file: string): boolean => existsSync(file) && statSync(file).size > 0;

/** Removes a database and the files that belong to it. */
export const removeDatabase = (file: string): void =>
  ['', '-wal', '-shm', '-journal'].forEach((suffix) => rmSync(`${file}${suffix}`, { force: true }));

/**
 * Opens the file of the read models. A missing or damaged file, or one with another layout, is replaced by an empty
 * one. Throws on a database of something else, which is left unchanged.
 */
export const openDatabase = (file: string, shape: string): OpenedDatabase => {
  if (!existsSync(file)) removeDatabase(file);
  try {
    const { db, isNew } = openFile(file, shape);
    return { db, rebuildReason: isNew ? 'there were none' : null };
  } catch (error) {
    if (!isDamage(error)) throw new Error(`Cannot open the read models ${file}: ${reasonOf(error)}`, { cause: error });
    removeDatabase(file);
    return { db: openFile(file, shape).db, rebuildReason: reasonOf(error) };
  }
};
