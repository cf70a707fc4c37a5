import * as E from 'fp-ts/lib/Either.js';
import type Database from 'libsql';
import type { StoreUnavailable } from '../../../application/ports/event-store.js';
import { remedy } from './event-row.js';

const codeOf = (cause: unknown): string =>
  cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : '';

const isDamage = (cause: unknown): boolean => /^SQLITE_(CORRUPT|NOTADB)/.test(codeOf(cause));

/** What went wrong, and what to do where the file is damaged. */
export const reasonOf = (cause: unknown): string => {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return isDamage(cause) ? `the event log is damaged: ${reason}; ${remedy}` : reason;
};

/** An exception as a failure of the port. */
export const unavailable = (cause: unknown): StoreUnavailable => ({
  _tag: 'StoreUnavailable',
  reason: reasonOf(cause),
});

/** Runs code that may throw and returns its exception as a value. */
export const attempt = <A>(work: () => A): E.Either<StoreUnavailable, A> => E.tryCatch(work, unavailable);

/** Whether another process holds the lock. */
export const isBusy = (cause: unknown): boolean => codeOf(cause).startsWith('SQLITE_BUSY');

/** Whether a unique constraint was violated. */
export const isUniqueViolation = (cause: unknown): boolean => codeOf(cause) === 'SQLITE_CONSTRAINT_UNIQUE';

const rollBack = (db: Database.Database): void => {
  if (db.inTransaction) db.exec('ROLLBACK');
};

/** Runs the work under the write lock and commits it; rolls everything back when it throws. */
export const inTransaction = <A>(db: Database.Database, work: () => A): A => {
  rollBack(db);
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    rollBack(db);
    throw error;
  }
};
