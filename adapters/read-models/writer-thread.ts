import { parentPort, workerData } from 'node:worker_threads';
import Database from 'libsql';
import type { Batch, Written } from './changes.js';
import type { SnapshotRow } from './snapshots.js';
import { batchWriter } from './write-batch.js';

/** The thread that writes the read models: each message is a batch, each answer says what became of it. */

const settings = [
  'PRAGMA busy_timeout = 2000',
  'PRAGMA synchronous = NORMAL',
  'PRAGMA secure_delete = ON',
  'PRAGMA cache_size = -8192',
  'PRAGMA wal_autocheckpoint = 4000',
  'PRAGMA journal_size_limit = 67108864',
];

const db = new Database(String(workerData));
settings.forEach((setting) => db.exec(setting));
const write = batchWriter(db);
const keep = db.prepare('INSERT OR REPLACE INTO snapshots (stream, snapshot, digest) VALUES (?, ?, ?)');

/** A larger file, in bytes, is not written anew at each erasure: that takes as long as to copy it. */
const largestWrittenAnew = 64_000_000;

const numberOf = (pragma: string): number => {
  const row: unknown = db.prepare(`PRAGMA ${pragma}`).raw(true).get();
  return Array.isArray(row) ? Number(row[0]) : 0;
};

/**
 * Writes the file anew. `secure_delete` overwrites what is deleted, but not the copies that SQLite leaves in the free space of
 * pages when it moves rows from one to another: of about one row in a hundred.
 */
const forgetMoved = (): void => {
  if (numberOf('page_count') * numberOf('page_size') <= largestWrittenAnew) db.exec('VACUUM');
};

/** Empties the write-ahead log, with all copies of what was changed; a reader may be in the way for a moment. */
const forgetChanges = (): void => {
  for (let tries = 0; tries < 5; tries += 1) {
    const row: unknown = db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').raw(true).get();
    if (Array.isArray(row) && row[0] === 0) return;
  }
  throw new Error('the write-ahead log could not be emptied');
};

const rollBack = (): void => {
  if (db.inTransaction) db.exec('ROLLBACK');
};

const written = (batch: Batch): Written => {
  try {
    db.exec('BEGIN IMMEDIATE');
    const sums = write(batch);
    db.exec('COMMIT');
    if (batch.erases) {
      forgetMoved();
      forgetChanges();
    }
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

parentPort?.on('message', (message: Batch | SnapshotRow | 'close') => {
  if (message === 'close') {
    db.close();
    parentPort?.close();
  } else if ('snapshot' in message) keepSnapshot(message);
  else parentPort?.postMessage(written(message), []);
});
