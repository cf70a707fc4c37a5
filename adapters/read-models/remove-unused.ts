import Database from 'libsql';
import { isDamage, reasonOf } from './damage.js';
import { hasContent, removeDatabase } from './database.js';
import { applicationId } from './check-file.js';

const valueOf = (db: Database.Database, sql: string): unknown => {
  const [row]: ReadonlyArray<unknown> = db.prepare(sql).raw(true).all();
  return Array.isArray(row) ? row[0] : undefined;
};

const isLocked = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY';

/**
 * Throws unless the file contains read models or is broken, and no other process has it open. Leaving WAL mode requires
 * exclusive access, and locks end with the process that holds them. This process must not have opened the file before:
 * a closed connection holds its lock until its statements are garbage collected.
 */
const checkUnused = (file: string): void => {
  const db = new Database(file);
  try {
    db.exec('PRAGMA busy_timeout = 500');
    if (valueOf(db, 'PRAGMA application_id') !== applicationId) throw new Error('it is a database of something else');
    valueOf(db, 'PRAGMA journal_mode = DELETE');
  } catch (error) {
    if (isLocked(error)) throw new Error('a service uses them: stop it first', { cause: error });
    if (!isDamage(error)) throw error;
  } finally {
    db.close();
  }
};

/**
 * Removes read models. Throws, leaving the file unchanged, when a service uses it or it is a database of something
 * else.
 */
export const removeUnused = (file: string): void => {
  try {
    if (hasContent(file)) checkUnused(file);
  } catch (cause) {
    throw new Error(`Cannot remove the read models ${file}: ${reasonOf(cause)}`, { cause });
  }
  removeDatabase(file);
};
