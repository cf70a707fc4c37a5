import { constVoid } from 'fp-ts/lib/function.js';
import type Database from 'libsql';
import type { Fault } from '../../../projections/audit/fault.js';
import { streamCategory } from '../../../domain/kernel/stream-name.js';
import { utf8Of } from '../../runtime/utf8.js';
import { toPosition } from './event-row.js';
import { openReadOnly, tables } from './file.js';

const nowhere = { position: null, stream: null, revision: null };
const broken = (message: string): Fault => ({ ...nowhere, kind: 'broken_storage', message });

const valuesOf = (row: unknown): ReadonlyArray<unknown> => (Array.isArray(row) ? row : []);

const firstValue = (db: Database.Database, sql: string): unknown => valuesOf(db.prepare(sql).raw(true).get())[0];

/** A statement in comparable form: white space does not matter. */
const plain = (sql: string): string => sql.replaceAll(/\s+/g, ' ').trim();

const missingPart = (sql: string): string => {
  const [, kind = '', name = ''] = /^CREATE (\w+) (\w+)/.exec(sql) ?? [];
  const purpose = kind === 'TRIGGER' ? ', which protects the log,' : '';
  return `the ${kind.toLowerCase()} ${name}${purpose} is missing from the file or was changed`;
};

/** Tables, indexes and triggers that the file should have and does not. */
const missingParts = (db: Database.Database): ReadonlyArray<Fault> => {
  const there = new Set(
    db
      .prepare('SELECT CAST(sql AS BLOB) FROM sqlite_master WHERE sql IS NOT NULL')
      .raw(true)
      .all()
      .map((row) => plain(utf8Of(valuesOf(row)[0]) ?? '')),
  );
  return tables.filter((sql) => !there.has(plain(sql))).map((sql) => broken(missingPart(plain(sql))));
};

const foundBySqlite = (db: Database.Database, check: 'quick_check' | 'integrity_check'): ReadonlyArray<Fault> =>
  db
    .prepare(`SELECT CAST(${check} AS BLOB) FROM pragma_${check}(10)`)
    .raw(true)
    .all()
    .map((row) => utf8Of(valuesOf(row)[0]) ?? 'it is not text')
    .filter((line) => line !== 'ok')
    .map((line) => broken(`SQLite finds the file damaged: ${line}`));

const checkpointsBeyondEnd = (db: Database.Database): ReadonlyArray<Fault> => {
  const ahead = firstValue(
    db,
    `SELECT CAST(process AS BLOB) FROM checkpoints WHERE position > (SELECT coalesce(max(position), 0) FROM events) LIMIT 1`,
  );
  return Buffer.isBuffer(ahead) ? [broken(`the process ${ahead.toString()} has read beyond the end of the log`)] : [];
};

/** Whether a text is exactly the JSON that this service writes for its value. */
const isWritten = (text: string): boolean => {
  try {
    const value: unknown = JSON.parse(text);
    return JSON.stringify(value) === text;
  } catch {
    return false;
  }
};

const textColumns = ['stream', 'category', 'event_id', 'type', 'data', 'metadata'];

const missingBefore = (from: number, to: number): string =>
  from >= to ? `the event at position #${from} is missing` : `the events at positions #${from} to #${to} are missing`;

const rowFaults = (row: ReadonlyArray<unknown>, before: number): ReadonlyArray<Fault> => {
  const [position, revision, ...columns] = row;
  const texts = columns.map(utf8Of);
  const [stream, category, , , data, metadata] = texts.map((text) => text ?? '');
  const place = { position: toPosition(Number(position)), stream: stream ?? '', revision: Number(revision) };
  const fault = (message: string): Fault => ({ ...place, kind: 'broken_storage', message });
  const unreadable = textColumns.filter((_, index) => texts[index] === null);
  if (unreadable.length > 0) return unreadable.map((column) => fault(`its ${column} is not valid UTF-8`));
  return [
    ...(Number(position) === before + 1 ? [] : [fault(missingBefore(before + 1, Number(position) - 1))]),
    ...(category === streamCategory(place.stream) ? [] : [fault('its category is not that of its stream')]),
    ...(isWritten(data ?? '') ? [] : [fault('its data is not JSON as it was written')]),
    ...(isWritten(metadata ?? '') ? [] : [fault('its metadata is not JSON as it was written')]),
  ];
};

const pageSize = 100;
const maxFaults = 1_000;

/** Called with the number of rows checked so far and their share of all. */
type OnRows = (progress: { readonly events: number; readonly share: number; readonly counted: string }) => void;

/**
 * Checks what the port does not show: the file itself, its tables, gaps in positions, categories, and that every text
 * is as it was written. The events themselves are checked elsewhere.
 */
export const inspectDatabase = (db: Database.Database, onRows: OnRows = constVoid): ReadonlyArray<Fault> => {
  const faults = [...missingParts(db), ...checkpointsBeyondEnd(db)];
  const page = db
    .prepare(
      `SELECT position, revision, ${textColumns.map((column) => `CAST(${column} AS BLOB)`).join(', ')} FROM events
       WHERE position > ? ORDER BY position LIMIT ${pageSize}`,
    )
    .raw(true);
  const all = Number(firstValue(db, 'SELECT count(*) FROM events'));
  for (let [before, checked] = [0, 0]; faults.length < maxFaults;) {
    const rows = page.all(before);
    for (const row of rows) {
      const values = valuesOf(row);
      faults.push(...rowFaults(values, before));
      before = Number(values[0]);
    }
    checked += rows.length;
    onRows({ events: checked, share: Math.min(1, checked / Math.max(1, all)), counted: 'rows of the file' });
    if (rows.length < pageSize) break;
  }
  return [...faults, ...foundBySqlite(db, 'integrity_check')];
};

/** The same for a file, which is opened read-only. */
export const inspectFile = (file: string, onRows?: OnRows): ReadonlyArray<Fault> => {
  const db = openReadOnly(file);
  try {
    return inspectDatabase(db, onRows);
  } finally {
    db.close();
  }
};

/** What prevents the use of a log file; null if nothing does. Its pages are checked too if `thoroughly`. */
export const damageOfFile = (file: string, thoroughly: boolean): string | null => {
  try {
    const db = openReadOnly(file);
    try {
      const [fault] = thoroughly ? [...missingParts(db), ...foundBySqlite(db, 'quick_check')] : [];
      return fault?.message ?? null;
    } finally {
      db.close();
    }
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return cause instanceof Error ? cause.message : String(cause);
  }
};
