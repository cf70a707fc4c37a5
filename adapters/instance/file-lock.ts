import Database from 'libsql';

/** A file lock held by one process; it is released when the process ends, in any way. */
export interface FileLock {
  readonly release: () => void;
}

const isHeld = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY';

/** Locks a file, which is created if missing. Returns null if another process holds the lock. Throws on other errors. */
export const takeFileLock = (file: string): FileLock | null => {
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
