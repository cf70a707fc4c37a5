import type { EventFilter, Page } from '../../../application/ports/event-store.js';
import { sizeOf, toStoredEvent, type EventRow } from './event-row.js';
import { toPosition } from './position.js';
import type { Reader } from './reader.js';

const mostEvents = 1_000;
const mostCharacters = 1_000_000;
const firstPortion = 4;
const greatestPortion = 125;

const nextPortion = (rows: number, characters: number, limit: number): number => {
  if (rows === 0) return Math.min(firstPortion, limit);
  const fitting = Math.ceil(((mostCharacters - characters) * rows) / Math.max(1, characters));
  return Math.min(greatestPortion, limit - rows, fitting);
};

/** A page, and about how much text it was made of. */
export interface ReadPage {
  readonly page: Page;
  readonly characters: number;
}

/** A page of rows that were asked for after one row and up to another. */
const toPage = (rows: ReadonlyArray<EventRow>, after: number, upTo: number, full: boolean): ReadPage => {
  const examined = full ? (rows.at(-1)?.[0] ?? after) : upTo;
  return {
    page: { events: rows.map(toStoredEvent), examined: examined > after ? toPosition(examined) : null },
    characters: rows.reduce((sum, row) => sum + sizeOf(row), 0),
  };
};

/**
 * The next page: as much as is there, but no more than `limit` events or about 1 MB. It is read in portions fitted to the
 * size of the events so far, so that large events never come into memory by the thousand.
 */
export const readPage = (
  reader: Reader,
  after: number,
  upTo: number,
  filter: EventFilter,
  limit = mostEvents,
): ReadPage => {
  const rows: EventRow[] = [];
  let characters = 0;
  while (rows.length < limit && characters < mostCharacters) {
    const wanted = nextPortion(rows.length, characters, limit);
    const portion = reader.all(rows.at(-1)?.[0] ?? after, upTo, filter, wanted);
    rows.push(...portion);
    characters += portion.reduce((sum, row) => sum + sizeOf(row), 0);
    if (portion.length < wanted) return toPage(rows, after, upTo, false);
  }
  return toPage(rows, after, upTo, true);
};
