import { isUtf8 } from 'node:buffer';
import type Database from 'libsql';
import { type Position, positionIn as positionOfWidth } from '../../../domain/kernel/recorded-event.js';
import type { StoredEvent } from '../../../application/ports/event-store.js';
import type { Json } from '../../../domain/kernel/json.js';
import { sealedDataIn } from '../sealed/sealed-data.js';

const digits = 16;

/** A row number as a text of fixed width, so that positions sort as texts in the order of the log. */
export const toPosition = (row: number): Position => String(row).padStart(digits, '0');

export const isPosition = (text: string): boolean => /^\d{16}$/.test(text);

export const positionIn = (text: string): Position | null => positionOfWidth(text, digits);

/**
 * The row number of a position; 0 for null, which is before the first event. Throws on a text that is not a position of
 * this store.
 */
export const toRow = (position: Position | null): number => {
  if (position === null) return 0;
  if (!isPosition(position)) throw new Error(`"${position}" is not a position of this store`);
  return Number(position);
};

/** The columns of a stored event, in the order of `EventRow`. */
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

/** A row of the log is missing, or not as it was written. */
export class UnreadableRow extends Error {
  override readonly name = 'UnreadableRow';
}

const texts = ['stream', 'event_id', 'type', 'data', 'metadata'];

/**
 * The result of a query as a single value: for each row its numbers, the lengths of its texts, and the texts. Texts are
 * read as bytes because libsql crashes the process when a text is not valid UTF-8. They are read in one value because
 * one value per text costs more than reading the row.
 */
const packed = `position || ',' || revision || ',' ||
  ${texts.map((text) => `octet_length(${text})`).join(" || ',' || ")} || ':' || ${texts.join(' || ')}`;

const comma = 44;
const colon = 58;
const zero = 48;

const textOf = (bytes: Buffer, position: number, index: number): string => {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  const place = `at position ${toPosition(position)}`;
  throw new UnreadableRow(`the event log cannot be read ${place}: its ${texts[index]} is not valid UTF-8`);
};

const rowOf = (position: number, revision: number, columns: ReadonlyArray<string>): EventRow => {
  const [stream = '', id = '', type = '', data = '', metadata = ''] = columns;
  return [position, stream, revision, id, type, data, metadata];
};

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
    const columns = lengths.map((length, index) => {
      at += length;
      return textOf(bytes.subarray(at - length, at), position, index);
    });
    rows.push(rowOf(position, revision, columns));
  }
  return rows;
};

const missingValue = (): UnreadableRow => new UnreadableRow('a row of the event log has a column without a value');

const rowsOf = (found: unknown): ReadonlyArray<EventRow> => {
  const columns: ReadonlyArray<unknown> = Array.isArray(found) ? found : [];
  const [count, bytes] = columns;
  if (count === 0) return [];
  const rows = Buffer.isBuffer(bytes) ? unpack(bytes) : [];
  if (rows.length !== count) throw missingValue();
  return rows;
};

type ReadRows = (...values: ReadonlyArray<string | number>) => ReadonlyArray<EventRow>;

/**
 * Prepares a query for the columns `eventColumns` of large rows: each text is read as a separate value, which takes
 * half as long for large rows. Throws `UnreadableRow` when a row is damaged.
 */
export const prepareLargeRows = (db: Database.Database, query: string): ReadRows => {
  const blobs = texts.map((text) => `CAST(${text} AS BLOB)`).join(', ');
  const statement = db.prepare(`SELECT position, revision, ${blobs} FROM (${query})`).raw(true);
  return (...values) =>
    statement.all(values).map((found) => {
      const row: ReadonlyArray<unknown> = Array.isArray(found) ? found : [];
      const [position, revision, ...columns] = row;
      if (typeof position !== 'number' || typeof revision !== 'number' || !columns.every((one) => Buffer.isBuffer(one)))
        throw missingValue();
      const read = columns.map((bytes, index) => textOf(bytes, position, index));
      return rowOf(position, revision, read);
    });
};

/** Whether the combined value would exceed SQLite's limit of 1 GB. */
const isTooLarge = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'SQLITE_TOOBIG';

/** Prepares a query for the columns `eventColumns`. Throws `UnreadableRow` when a row is damaged. */
export const prepareRows = (db: Database.Database, query: string): ReadRows => {
  const readCombined = db
    .prepare(`SELECT count(*), CAST(group_concat(${packed}, '') AS BLOB) FROM (${query})`)
    .raw(true);
  const readSeparately = prepareLargeRows(db, query);
  return (...values) => {
    try {
      return rowsOf(readCombined.get(values));
    } catch (error) {
      if (!isTooLarge(error)) throw error;
      return readSeparately(...values);
    }
  };
};

const parseJson = (text: string, position: number, column: string): Json => {
  const parse: (text: string) => Json = JSON.parse;
  try {
    return parse(text);
  } catch {
    const place = `at position ${toPosition(position)}`;
    throw new UnreadableRow(`the event log cannot be read ${place}: its ${column} is not valid JSON`);
  }
};

/** A row as an event of the port. Throws `UnreadableRow` when its JSON is invalid. */
export const toStoredEvent = ([row, stream, revision, id, type, data, metadata]: EventRow): StoredEvent => ({
  position: toPosition(row),
  stream,
  revision,
  id,
  type,
  data: sealedDataIn(data) ?? parseJson(data, row, 'data'),
  metadata: parseJson(metadata, row, 'metadata'),
});

/** The approximate size of a row in memory, in characters. */
export const sizeOf = (row: EventRow): number => row[5].length + row[6].length;

/** Writing, reading, checking or parsing this many characters takes as long as one turn of the event loop should. */
export const largeFrom = 4_000_000;
