import Database from 'libsql';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { constVoid } from 'fp-ts/lib/function.js';
import { InstanceId } from '../../domain/kernel/ids.js';

/** A file lock held by one process; it is released when the process ends, in any way. */
interface FileLock {
  readonly release: () => void;
}

const isHeld = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY';

/** Locks a file, which is created if missing. Returns null if another process holds the lock. Throws on other errors. */
const takeFileLock = (file: string): FileLock | null => {
  const db = new Database(file);
  try {
    db.exec('PRAGMA busy_timeout = 0');
    db.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    db.close();
    if (isHeld(error)) return null;
    throw error;
  }
  return {
    release: () => {
      db.exec('ROLLBACK');
      db.close();
    },
  };
};

/** The identity of a running service among the instances on one log. */
export interface Instance {
  readonly id: InstanceId;
  /** Another service running on the same data folder uses its id, so this one got an id for this run only. */
  readonly is_guest: boolean;
  /** Releases the id for the next service on the folder. */
  readonly leave: () => void;
}

const kept = (file: string): string | null => {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return null;
  }
};

const newId = (random: () => string): InstanceId => {
  const made = random();
  if (!InstanceId.is(made)) throw new TypeError('the UUID is not an InstanceId');
  return made;
};

const idIn = (data_dir: string, random: () => string): InstanceId => {
  const file = join(data_dir, 'instance-id');
  const known = kept(file);
  if (InstanceId.is(known)) return known;
  const made = newId(random);
  writeFileSync(`${file}.new`, `${made}\n`);
  renameSync(`${file}.new`, file);
  return made;
};

/** The lock that a service holds on its data folder. Null if another process holds it. */
export const takeInstanceLock = (data_dir: string): FileLock | null => takeFileLock(join(data_dir, 'instance.lock'));

/**
 * The id of the service on a data folder. It is the same after every restart, so that the service finds the work it had
 * claimed, and never the id of another running service.
 */
export const instanceIn = (data_dir: string, random: () => string): Instance => {
  const lock = takeInstanceLock(data_dir);
  return lock === null
    ? { id: newId(random), is_guest: true, leave: constVoid }
    : { id: idIn(data_dir, random), is_guest: false, leave: lock.release };
};
