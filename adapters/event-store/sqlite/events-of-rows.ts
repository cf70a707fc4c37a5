import type { StoredEvent } from '../../../application/ports/event-store.js';
import { turnFor } from '../../runtime/turns.js';
import { type EventRow, sizeOf, toStoredEvent } from './event-row.js';
import type { Reader } from './reader.js';

/** A row of more characters is checked in one turn and parsed in the next: each takes as long as to read it. */
const large = 4_000_000;

/** Rows that were just read, as events, once they have been checked. Rejects with `UnreadableRow`. */
export const eventsOfRows = async (
  { verify }: Pick<Reader, 'verify'>,
  rows: ReadonlyArray<EventRow>,
): Promise<ReadonlyArray<StoredEvent>> => {
  if (rows.every((row) => sizeOf(row) <= large)) return verify(rows).map(toStoredEvent);
  const events: StoredEvent[] = [];
  for (const row of rows) {
    await turnFor(sizeOf(row));
    verify([row]);
    await turnFor(sizeOf(row));
    events.push(toStoredEvent(row));
  }
  return events;
};
