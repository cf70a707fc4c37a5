import type { StoredEvent } from '../../../application/ports/event-store.js';
import { turnFor } from '../../runtime/turns.js';
import { type EventRow, largeFrom, sizeOf, toStoredEvent } from './event-row.js';
import type { Reader } from './reader.js';

/**
 * Rows that were just read, as events, once they have been checked; a large one is checked in one turn and parsed in the
 * next. Rejects with `UnreadableRow`.
 */
export const eventsOfRows = async (
  { verify }: Pick<Reader, 'verify'>,
  rows: ReadonlyArray<EventRow>,
): Promise<ReadonlyArray<StoredEvent>> => {
  if (rows.every((row) => sizeOf(row) <= largeFrom)) return verify(rows).map(toStoredEvent);
  const events: StoredEvent[] = [];
  for (const row of rows) {
    await turnFor(sizeOf(row));
    verify([row]);
    await turnFor(sizeOf(row));
    events.push(toStoredEvent(row));
  }
  return events;
};
