import { createHash } from 'node:crypto';
import type Database from 'libsql';
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import type { Snapshot } from '../../application/ports/snapshots.js';
import { columnsOf } from './row-json.js';

const Stored = t.type({ version: t.number, revision: t.number, event_id: t.string, state: t.unknown });

/** A snapshot as it is stored. */
export interface SnapshotRow {
  readonly stream: string;
  readonly snapshot: string;
  readonly digest: string;
}

const digestOf = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex');

/** Texts are read as bytes because libsql crashes the process when one is not valid UTF-8. */
const select = 'SELECT CAST(snapshot AS BLOB), CAST(digest AS BLOB) FROM snapshots WHERE stream = ?';

export const snapshotRow = (stream: string, { version, revision, event_id, state }: Snapshot): SnapshotRow => {
  const snapshot = JSON.stringify({ version, revision, event_id, state });
  return { stream, snapshot, digest: digestOf(snapshot) };
};

/** The snapshot of a stream; null when there is none, or it is not as it was written. */
export const readSnapshot = (db: Database.Database, stream: string): Snapshot | null => {
  const row = db.prepare(select).raw(true).get(stream);
  const [text, digest] = row === undefined ? [] : columnsOf(row);
  if (!Buffer.isBuffer(text) || !Buffer.isBuffer(digest) || digestOf(text) !== digest.toString('latin1')) return null;
  const parsed = Stored.decode(JSON.parse(text.toString('utf8')));
  return E.isRight(parsed) ? { ...parsed.right, state: parsed.right.state } : null;
};
