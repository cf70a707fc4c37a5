import { parentPort, workerData } from 'node:worker_threads';
import Database from 'libsql';
import type { Batch, Written } from './changes.js';
import type { SnapshotRow } from './snapshots.js';
import { overwriteErasedContent, lockTimeoutMs } from './erased-content.js';
import { batchWriter } from './write-batch.js';

/** The thread that writes the read models. Each message is a batch; each answer is its result. */

const settings = [
  `PRAGMA busy_timeout = ${lockTimeoutMs}`,
  'PRAGMA synchronous = NORMAL',
  'PRAGMA secure_delete = ON',
  'PRAGMA cache_size = -8192',
  'PRAGMA wal_autocheckpoint = 4000',
  'PRAGMA journal_size_limit = 67108864',
];

const db = new Database(String(workerData));
settings.forEach((setting) => db.exec(setting));
const write = batchWriter(db);
const erasedContent = overwriteErasedContent(db);
const keep = db.prepare('INSERT OR REPLACE INTO snapshots (stream, snapshot, digest) VALUES (?, ?, ?)');

const rollBack = (): void => {
  if (db.inTransaction) db.exec('ROLLBACK');
};

const written = (batch: Batch): Written => {
  try {
    db.exec('BEGIN IMMEDIATE');
    const sums = write(batch);
    if (batch.erases) erasedContent.mark();
    db.exec('COMMIT');
    if (batch.erases) erasedContent.begin();
    return { ok: true, sums };
  } catch (error) {
    rollBack();
    const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
    return { ok: false, message: error instanceof Error ? error.message : String(error), code };
  }
};

/** Failures are ignored: a snapshot can be made again. */
const keepSnapshot = ({ stream, snapshot, digest }: SnapshotRow): void => {
  try {
    keep.run([stream, snapshot, digest]);
  } catch {
    rollBack();
  }
};

/** The pause before another attempt when readers or a full disk block it, in milliseconds; it doubles each time. */
const [minPauseMs, maxPauseMs] = [50, 2_000];
let [again, wait]: [NodeJS.Timeout | null, number] = [null, minPauseMs];

const tryOverwrite = (): ReturnType<typeof erasedContent.overwriteSome> => {
  try {
    return erasedContent.overwriteSome();
  } catch {
    rollBack();
    return 'blocked';
  }
};

/** Overwrites erased content in steps, between which other batches are written. */
const overwrite = (): void => {
  const state = tryOverwrite();
  wait = state === 'blocked' ? Math.min(2 * wait, maxPauseMs) : minPauseMs;
  again = state === 'done' ? null : setTimeout(overwrite, state === 'more' ? 0 : wait);
};
overwrite();

const handle = (batch: Batch): void => {
  const answer = written(batch);
  // If it can be done in one step, it is done before the answer.
  if (batch.erases && answer.ok) {
    if (again !== null) clearTimeout(again);
    overwrite();
  }
  parentPort?.postMessage(answer, []);
};

parentPort?.on('message', (message: Batch | SnapshotRow | 'close') => {
  if (message === 'close') {
    if (again !== null) clearTimeout(again);
    db.close();
    parentPort?.close();
  } else if ('snapshot' in message) keepSnapshot(message);
  else handle(message);
});
