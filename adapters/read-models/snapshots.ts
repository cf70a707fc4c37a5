import type Database from 'libsql';
import * as E from 'fp-ts/lib/Either.js';
import { constVoid } from 'fp-ts/lib/function.js';
import * as t from 'io-ts';
import type { Snapshots } from '../../application/ports/snapshots.js';
import { utf8Of } from '../runtime/sqlite.js';
import { type Statements, columnsOf } from './sqlite.js';

const Stored = t.type({ version: t.number, revision: t.number, event_id: t.string, state: t.unknown });

/** The snapshots in the file. Failures are ignored: a snapshot can be made again. */
export const snapshotsIn = (db: Database.Database, statements: Statements): Snapshots => ({
  load: (stream) => async () => {
    if (!db.open) return null;
    const read = E.tryCatch((): unknown => {
      const row = statements('SELECT CAST(snapshot AS BLOB) FROM snapshots WHERE stream = ?').get([stream]);
      return JSON.parse(utf8Of(columnsOf(row)[0]) ?? 'null');
    }, constVoid);
    const snapshot = E.isRight(read) ? Stored.decode(read.right) : read;
    return E.isRight(snapshot) ? { ...snapshot.right, state: snapshot.right.state } : null;
  },
  save: (stream, { version, revision, event_id, state }) => {
    if (!db.open) return;
    const text = JSON.stringify({ version, revision, event_id, state });
    E.tryCatch(() => statements('INSERT OR REPLACE INTO snapshots VALUES (?, ?)').run([stream, text]), constVoid);
  },
});
