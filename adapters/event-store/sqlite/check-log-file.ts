import { existsSync, statSync } from 'node:fs';
import type Database from 'libsql';
import { streamCategory } from '../../../domain/kernel/stream-name.js';
import { connectReadOnly } from './database.js';
import { type EventRow, UnreadableRow, eventColumns, prepareRows, toStoredEvent, toPosition } from './event-row.js';
import { structureFaults } from './inspect-file.js';
import { refuseForeign } from './schema.js';
import { createRowVerifier } from './verified-rows.js';

const pageSize = 25;
const beforeAll = ['', -1] as const;

/** A gap in a stream. A stream that was tombstoned by another client ends with one, at the greatest revision. */
const isGap = ([, stream, revision]: EventRow, before: readonly [stream: string, revision: number]): boolean =>
  revision !== (stream === before[0] ? before[1] + 1 : 0) && revision !== Number.MAX_SAFE_INTEGER;

/** Reads every stream from its first event; throws at the first event that is not as it was written. */
const checkStreams = (db: Database.Database): void => {
  const page = prepareRows(
    db,
    `SELECT ${eventColumns} FROM events WHERE (stream, revision) > (?1, ?2) ORDER BY stream, revision LIMIT ${pageSize}`,
  );
  const verify = createRowVerifier(db);
  for (let before: readonly [stream: string, revision: number] = beforeAll; ;) {
    const rows = page(...before);
    for (const row of rows) {
      if (isGap(row, before))
        throw new UnreadableRow(`an event of ${row[1]} is missing before revision ${row[2]}, at ${toPosition(row[0])}`);
      before = [row[1], row[2]];
    }
    verify(rows).forEach(toStoredEvent);
    if (rows.length < pageSize) return;
  }
};

const checkPositions = (db: Database.Database): void => {
  const row: unknown = db.prepare('SELECT count(*), coalesce(max(position), 0) FROM events').raw(true).get();
  const columns: ReadonlyArray<unknown> = Array.isArray(row) ? row : [];
  const [count, last] = columns;
  if (count !== last)
    throw new UnreadableRow(`it has ${String(count)} events, but the last position is ${String(last)}`);
};

const checkCategories = (db: Database.Database): void => {
  const wrong = prepareRows(
    db,
    `SELECT ${eventColumns} FROM events
     WHERE category <> substr(stream, 1, instr(stream || '-', '-') - 1) ORDER BY position LIMIT 1`,
  );
  for (const [row, stream] of wrong())
    throw new UnreadableRow(`the category at position ${toPosition(row)} is not ${streamCategory(stream)}`);
};

/**
 * Reads a whole log file and returns the first fault; null if there is none, and for an empty or missing file. Call it
 * in a separate process: reading a damaged schema can crash the process.
 */
export const checkLogFile = (file: string): string | null => {
  if (!existsSync(file) || !statSync(file).isFile() || statSync(file).size === 0) return null;
  try {
    const db = connectReadOnly(file);
    try {
      db.exec('PRAGMA busy_timeout = 5000');
      db.exec('BEGIN');
      refuseForeign(db);
      const [fault] = structureFaults(db);
      if (fault !== undefined) return fault.message;
      checkPositions(db);
      checkCategories(db);
      checkStreams(db);
      return null;
    } finally {
      db.close();
    }
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};
