import type Database from 'libsql';

const leave = (db: Database.Database): void => {
  if (db.inTransaction) db.exec('ROLLBACK');
};

/** Runs the work under the write lock and commits it; when anything throws, nothing of it remains. */
export const inTransaction = <A>(db: Database.Database, work: () => A): A => {
  leave(db);
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    leave(db);
    throw error;
  }
};
