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

const isEventRow = (row: unknown): row is EventRow =>
  Array.isArray(row) &&
  row.length === 7 &&
  typeof row[0] === 'number' &&
  typeof row[1] === 'string' &&
  typeof row[2] === 'number' &&
  typeof row[3] === 'string' &&
  typeof row[4] === 'string' &&
  typeof row[5] === 'string' &&
  typeof row[6] === 'string';

const parseJson: (text: string) => Json = JSON.parse;

/** The rows as they came out of the database; throws on any that is not an event's. */
export const toEventRows = (rows: ReadonlyArray<unknown>): ReadonlyArray<EventRow> => {
  if (!rows.every(isEventRow)) throw new Error('a row of the event log is not an event');
  return rows;
};

/** A row as the port shows it; throws when its JSON is broken. */
export const toStoredEvent = ([row, stream, revision, id, type, data, metadata]: EventRow): StoredEvent => ({
  position: toPosition(row),
  stream,
  revision,
  id,
  type,
  data: parseJson(data),
  metadata: parseJson(metadata),
});

/** About how much memory a row takes. */
export const sizeOf = (row: EventRow): number => row[5].length + row[6].length;
