import { isUtf8 } from 'node:buffer';
import type Database from 'libsql';
import { type Position, positionIn as positionOfWidth } from '../../../domain/kernel/recorded-event.js';
import type { StoredEvent } from '../../../application/ports/event-store.js';
import type { Json } from '../../../domain/kernel/json.js';

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

/** What to do about a damaged log. */
export const remedy = 'restore it from a backup ("media-analysis audit verify" lists all faults)';

/** A row of the log is damaged. */
class UnreadableRow extends Error {
  override readonly name = 'UnreadableRow';
  constructor(row: number, reason: string) {
    super(`the event log cannot be read at position ${toPosition(row)}: its ${reason}; ${remedy}`);
  }
}

const texts = ['stream', 'event_id', 'type', 'data', 'metadata'];

const textOf = (bytes: unknown, row: number, column: string): string => {
  if (Buffer.isBuffer(bytes) && isUtf8(bytes)) return bytes.toString('utf8');
  throw new UnreadableRow(row, `${column} is not valid UTF-8`);
};

/**
 * Prepares a query for the columns `eventColumns`. Texts are read as bytes because libsql ends the process when a text
 * is not valid UTF-8; the query throws `UnreadableRow` then.
 */
export const prepareRows = (
  db: Database.Database,
  query: string,
): ((...values: ReadonlyArray<string | number>) => ReadonlyArray<EventRow>) => {
  const blobs = texts.map((text) => `CAST(${text} AS BLOB)`).join(', ');
  const statement = db.prepare(`SELECT position, revision, ${blobs} FROM (${query})`).raw(true);
  return (...values) =>
    statement.all(values).map((found) => {
      const columns: ReadonlyArray<unknown> = Array.isArray(found) ? found : [];
      const [position, revision] = columns;
      const row = Number(position);
      const text = (index: number): string => textOf(columns[index + 2], row, texts[index] ?? '');
      return [row, text(0), Number(revision), text(1), text(2), text(3), text(4)];
    });
};

/** The JSON of a column. Throws `UnreadableRow` when it is invalid. */
export const parseJson = (text: string, row: number, column: string): Json => {
  const parse: (text: string) => Json = JSON.parse;
  try {
    return parse(text);
  } catch {
    throw new UnreadableRow(row, `${column} is not valid JSON`);
  }
};

/** A row as an event of the port. Throws `UnreadableRow` when its JSON is invalid. */
export const toStoredEvent = ([row, stream, revision, id, type, data, metadata]: EventRow): StoredEvent => ({
  position: toPosition(row),
  stream,
  revision,
  id,
  type,
  data: parseJson(data, row, 'data'),
  metadata: parseJson(metadata, row, 'metadata'),
});
