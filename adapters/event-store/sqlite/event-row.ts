import { isUtf8 } from 'node:buffer';
import type Database from 'libsql';
import type { StoredEvent } from '../../../application/ports/event-store.js';
import type { Json } from '../../../domain/kernel/json.js';
import { toPosition } from './position.js';

/** The columns that make a stored event, in the order of `EventRow`. */
export const eventColumns = 'position, stream, revision, event_id, type, data, metadata';

export type EventRow = readonly [
  position: number,
  stream: string,
  revision: number,
  id: string,
  type: string,
  data: string,
  metadata: string,
];

/** A row of the log is not as it was written, or is missing. */
export class UnreadableRow extends Error {
  override readonly name = 'UnreadableRow';
}

const texts = ['stream', 'event_id', 'type', 'data', 'metadata'];

/**
 * A query's rows in one value: how many there are, and their bytes, each row as its numbers, the lengths of its texts,
 * and these. Texts are read as bytes because libsql ends the whole process when one is not valid UTF-8; in one value
 * because a value for each costs more than to read the row.
 */
const packed = `position || ',' || revision || ',' ||
  ${texts.map((text) => `octet_length(${text})`).join(" || ',' || ")} || ':' || ${texts.join(' || ')}`;

const comma = 44;
const colon = 58;
const zero = 48;

const unpack = (bytes: Buffer): ReadonlyArray<EventRow> => {
  const rows: EventRow[] = [];
  for (let at = 0; at < bytes.length;) {
    const numbers: number[] = [0];
    for (let digit = bytes[at]; digit !== colon; digit = bytes[at]) {
      if (digit === undefined) throw new UnreadableRow('a row of the event log is not an event');
      if (digit === comma) numbers.push(0);
      else numbers.push((numbers.pop() ?? 0) * 10 + (digit - zero));
      at += 1;
    }
    at += 1;
    const [position = 0, revision = 0, ...lengths] = numbers;
    const [stream = '', id = '', type = '', data = '', metadata = ''] = lengths.map((length, index) => {
      const column = bytes.subarray(at, at + length);
      at += length;
      if (isUtf8(column)) return column.toString('utf8');
      const place = `at position ${toPosition(position)}`;
      throw new UnreadableRow(`the event log cannot be read ${place}: its ${texts[index]} is not valid UTF-8`);
    });
    rows.push([position, stream, revision, id, type, data, metadata]);
  }
  return rows;
};

const rowsOf = (found: unknown): ReadonlyArray<EventRow> => {
  const columns: ReadonlyArray<unknown> = Array.isArray(found) ? found : [];
  const [count, bytes] = columns;
  if (count === 0) return [];
  const rows = Buffer.isBuffer(bytes) ? unpack(bytes) : [];
  if (rows.length !== count) throw new UnreadableRow('a row of the event log has a column without a value');
  return rows;
};

/** Whether a value would be longer than SQLite allows, 1 GB. */
const isTooLarge = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'SQLITE_TOOBIG';

/** Prepares a query for rows of the log with the columns `eventColumns`; throws `UnreadableRow` when one is damaged. */
export const prepareRows = (
  db: Database.Database,
  query: string,
): ((...values: ReadonlyArray<string | number>) => ReadonlyArray<EventRow>) => {
  const together = db.prepare(`SELECT count(*), CAST(group_concat(${packed}, '') AS BLOB) FROM (${query})`).raw(true);
  const eachAlone = db.prepare(`SELECT 1, CAST(${packed} AS BLOB) FROM (${query})`).raw(true);
  return (...values) => {
    try {
      return rowsOf(together.get(values));
    } catch (error) {
      if (!isTooLarge(error)) throw error;
      return eachAlone.all(values).flatMap(rowsOf);
    }
  };
};

const parseJson = (text: string, position: number, column: string): Json => {
  const parse: (text: string) => Json = JSON.parse;
  try {
    return parse(text);
  } catch {
    const place = `at position ${toPosition(position)}`;
    throw new UnreadableRow(`the event log cannot be read ${place}: its ${column} is no JSON`);
  }
};

/** A row as the port shows it; throws `UnreadableRow` when its JSON is broken. */
export const toStoredEvent = ([row, stream, revision, id, type, data, metadata]: EventRow): StoredEvent => ({
  position: toPosition(row),
  stream,
  revision,
  id,
  type,
  data: parseJson(data, row, 'data'),
  metadata: parseJson(metadata, row, 'metadata'),
});

/** About how much memory a row takes. */
export const sizeOf = (row: EventRow): number => row[5].length + row[6].length;
