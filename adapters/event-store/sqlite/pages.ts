import type { StoredEvent, EventFilter, Page } from '../../../application/ports/event-store.js';
import { countFitting } from '../../../domain/kernel/size.js';
import { streamCategory } from '../../../domain/kernel/stream-name.js';
import { yieldForText } from '../../runtime/event-loop.js';
import { type EventRow, largeFrom, sizeOf, toStoredEvent, toPosition } from './event-row.js';
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
    await yieldForText(sizeOf(row));
    verify([row]);
    await yieldForText(sizeOf(row));
    events.push(toStoredEvent(row));
  }
  return events;
};

const mostEvents = 1_000;
const mostCharacters = 1_000_000;
const firstPortion = 4;
const greatestPortion = 125;

const nextPortion = (rows: number, characters: number, limit: number): number => {
  const fitting = Math.ceil(((mostCharacters - characters) * rows) / Math.max(1, characters));
  return Math.min(greatestPortion, limit - rows, fitting);
};

/** A page, and about how much text it was made of. */
interface ReadPage {
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
  if (isLarge) await yieldForText(first);
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

/** Reads the page after one row and up to another. */
export type ReadNewest = (after: number, upTo: number, filter: EventFilter) => Promise<ReadPage>;

/** So many rows are read once for all, rather than for each filter those that pass it. */
const fewRows = 250;

const nothing: ReadPage = { page: { events: [], examined: null }, characters: 0 };

const passes = ({ types, categories }: EventFilter): ((event: StoredEvent) => boolean) => {
  const [type, category] = [types && new Set(types), categories && new Set(categories)];
  return (event) => type?.has(event.type) !== false && category?.has(streamCategory(event.stream)) !== false;
};

/**
 * Reads pages for subscriptions, which at the head of the log all ask for the same few rows: these are read, checked and
 * parsed once, whatever their filters.
 */
export const newestPages = (reader: Reader): ReadNewest => {
  let newest: { readonly after: number; readonly upTo: number; readonly read: Promise<ReadPage> } | null = null;
  return async (after, upTo, filter) => {
    if (upTo <= after) return nothing;
    if (upTo - after > fewRows) return readPage(reader, after, upTo, filter);
    if (newest?.after !== after || newest.upTo !== upTo)
      newest = { after, upTo, read: readPage(reader, after, upTo, {}) };
    if (filter.types === undefined && filter.categories === undefined) return newest.read;
    const { page, characters } = await newest.read;
    return { page: { ...page, events: page.events.filter(passes(filter)) }, characters };
  };
};
