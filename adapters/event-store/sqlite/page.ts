import type { EventFilter, Page } from '../../../application/ports/event-store.js';
import { countFitting } from '../../../domain/kernel/count-fitting.js';
import { type EventRow, largeFrom, sizeOf } from './event-row.js';
import { turnFor } from '../../runtime/turns.js';
import { eventsOfRows } from './events-of-rows.js';
import { toPosition } from './position.js';
import type { Reader } from './reader.js';

const mostEvents = 1_000;
const mostCharacters = 1_000_000;
const firstPortion = 4;
const greatestPortion = 125;

const nextPortion = (rows: number, characters: number, limit: number): number => {
  const fitting = Math.ceil(((mostCharacters - characters) * rows) / Math.max(1, characters));
  return Math.min(greatestPortion, limit - rows, fitting);
};

/** A page, and about how much text it was made of. */
export interface ReadPage {
  readonly page: Page;
  readonly characters: number;
}

/** Reads rows up to a limit, and whether there may be more of them. */
const readRows = async (
  reader: Reader,
  after: number,
  upTo: number,
  filter: EventFilter,
  limit: number,
): Promise<{ readonly rows: ReadonlyArray<EventRow>; readonly characters: number; readonly full: boolean }> => {
  const rows: EventRow[] = [];
  const most = Math.min(firstPortion, limit);
  const sizes = reader.sizesOfAll(after, upTo, filter, most);
  const [first = 0] = sizes;
  const isLarge = first > largeFrom;
  if (isLarge) await turnFor(first);
  const fitting = countFitting(sizes, largeFrom);
  let wanted = isLarge || fitting < sizes.length ? fitting : most;
  let characters = 0;
  while (rows.length < limit && characters < mostCharacters) {
    const portion = reader.all(rows.at(-1)?.[0] ?? after, upTo, filter, wanted, isLarge);
    rows.push(...portion);
    characters += portion.reduce((sum, row) => sum + sizeOf(row), 0);
    if (portion.length < wanted) return { rows, characters, full: false };
    wanted = nextPortion(rows.length, characters, limit);
  }
  return { rows, characters, full: true };
};

/**
 * The next page: as much as is there, but no more than `limit` events or about 1 MB. It is read in portions fitted to the
 * size of the events so far, so that large events never come into memory by the thousand. Rejects when a row is damaged.
 */
export const readPage = async (
  reader: Reader,
  after: number,
  upTo: number,
  filter: EventFilter,
  limit = mostEvents,
): Promise<ReadPage> => {
  const { rows, characters, full } = await readRows(reader, after, upTo, filter, limit);
  const examined = full ? (rows.at(-1)?.[0] ?? after) : upTo;
  const events = await eventsOfRows(reader, rows);
  return { page: { events, examined: examined > after ? toPosition(examined) : null }, characters };
};
