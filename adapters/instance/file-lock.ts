import Database from 'libsql';

/** A file that one process holds; it comes free with that process, however it ends. */
export interface FileLock {
  readonly release: () => void;
}

const isHeld = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY';

/** Takes the lock of a file, which is created when missing; null when another holds it. Throws when it cannot be had. */
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
