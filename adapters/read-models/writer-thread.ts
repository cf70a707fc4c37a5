import { parentPort, workerData } from 'node:worker_threads';
import Database from 'libsql';
import type { Batch, Written } from './changes.js';
import type { SnapshotRow } from './snapshots.js';
import { createForgetting, timeout_ms } from './forgetting.js';
import { batchWriter } from './write-batch.js';

/** The thread that writes the read models: each message is a batch, each answer says what became of it. */

const settings = [
  `PRAGMA busy_timeout = ${timeout_ms}`,
  'PRAGMA synchronous = NORMAL',
  'PRAGMA secure_delete = ON',
  'PRAGMA cache_size = -8192',
  'PRAGMA wal_autocheckpoint = 4000',
  'PRAGMA journal_size_limit = 67108864',
];

const db = new Database(String(workerData));
settings.forEach((setting) => db.exec(setting));
const write = batchWriter(db);
const forgetting = createForgetting(db);
const keep = db.prepare('INSERT OR REPLACE INTO snapshots (stream, snapshot, digest) VALUES (?, ?, ?)');

const rollBack = (): void => {
  if (db.inTransaction) db.exec('ROLLBACK');
};

const written = (batch: Batch): Written => {
  try {
    db.exec('BEGIN IMMEDIATE');
    const sums = write(batch);
    if (batch.erases) forgetting.mark();
    db.exec('COMMIT');
    if (batch.erases) forgetting.begin();
    return { ok: true, sums };
  } catch (error) {
    rollBack();
    const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
    return { ok: false, message: error instanceof Error ? error.message : String(error), code };
  }
};

/** Nobody waits for it, and nothing is lost without it. */
const keepSnapshot = ({ stream, snapshot, digest }: SnapshotRow): void => {
  try {
    keep.run([stream, snapshot, digest]);
  } catch {
    rollBack();
  }
};

/** So long it waits before it tries again to forget, in ms, longer each time, where others read or a disk is full. */
const [shortestPause, longestPause] = [50, 2_000];
let [again, wait]: [NodeJS.Timeout | null, number] = [null, shortestPause];

const forgotten = (): ReturnType<typeof forgetting.goOn> => {
  try {
    return forgetting.goOn();
  } catch {
    rollBack();
    return 'hindered';
  }
};

/** Forgets what was erased, in parts between which other batches are written. */
const forget = (): void => {
  const state = forgotten();
  wait = state === 'hindered' ? Math.min(2 * wait, longestPause) : shortestPause;
  again = state === 'done' ? null : setTimeout(forget, state === 'more' ? 0 : wait);
};
forget();

const handle = (batch: Batch): void => {
  const answer = written(batch);
  // What is soon forgotten is so before anybody is told.
  if (batch.erases && answer.ok) {
    if (again !== null) clearTimeout(again);
    forget();
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
