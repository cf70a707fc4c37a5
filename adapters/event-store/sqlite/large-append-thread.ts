import * as E from 'fp-ts/lib/Either.js';
import { constVoid } from 'fp-ts/lib/function.js';
import Database from 'libsql';
import type { Appended, RevisionConflict } from '../../../application/ports/event-store.js';
import { serveTasks } from '../../runtime/thread-tasks.js';
import { type PreparedAppend, createInsert } from './insertion.js';
import { inTransaction } from './transaction.js';

/** An append to a log file whose tables exist. */
export interface LargeAppend {
  readonly file: string;
  readonly append: PreparedAppend;
  /** How long to wait for the lock of another process, in milliseconds. */
  readonly lockTimeoutMs: number;
}

/** Page cache in KB: what exceeds it is in the write-ahead log before the commit. */
const cache = 'PRAGMA cache_size = -4096';

const writeAndCheckpoint = ({ file, append, lockTimeoutMs }: LargeAppend): E.Either<RevisionConflict, Appended> => {
  const db = new Database(file);
  try {
    for (const setting of [`PRAGMA busy_timeout = ${lockTimeoutMs}`, 'PRAGMA synchronous = FULL', cache])
      db.exec(setting);
    const insert = createInsert(db);
    const answer = inTransaction(db, () => insert(append, new Map()));
    // If it fails now, a later commit does it.
    E.tryCatch(() => void db.exec('PRAGMA wal_checkpoint(PASSIVE)'), constVoid);
    return answer;
  } finally {
    db.close();
  }
};

serveTasks({ work: writeAndCheckpoint });
