import type { StoredEvent, EventFilter, Page } from '../../../application/ports/event-store.js';
import { countFitting } from '../../runtime/json-size.js';
import { streamCategory } from '../../../domain/kernel/stream-name.js';
import { yieldForText } from '../../runtime/event-loop.js';
import { type EventRow, largeFrom, sizeOf, toStoredEvent, toPosition } from './event-row.js';
import type { Reader } from './reader.js';

/**
 * Verifies rows that were just read and converts them to events. A large row is verified in one turn of the event loop
 * and parsed in the next. Rejects with `UnreadableRow`.
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

const maxEvents = 1_000;
const maxCharacters = 1_000_000;
const firstPortion = 4;
const maxPortion = 125;

const nextPortion = (rows: number, characters: number, limit: number): number => {
  const fitting = Math.ceil(((maxCharacters - characters) * rows) / Math.max(1, characters));
  return Math.min(maxPortion, limit - rows, fitting);
};

/** A page, and the number of characters it was made from. */
interface ReadPage {
  readonly page: Page;
  readonly characters: number;
}

/** Reads rows up to a limit; `full` says whether there may be more. */
const readRows = async (
  reader: Reader,
  after: number,
  upTo: number,
  filter: EventFilter,
  limit: number,
): Promise<{ readonly rows: ReadonlyArray<EventRow>; readonly characters: number; readonly full: boolean }> => {
  const rows: EventRow[] = [];
  const firstLimit = Math.min(firstPortion, limit);
  const sizes = reader.sizesOfAll(after, upTo, filter, firstLimit);
  const [first = 0] = sizes;
  const isLarge = first > largeFrom;
  if (isLarge) await yieldForText(first);
  const fitting = countFitting(sizes, largeFrom);
  let wanted = isLarge || fitting < sizes.length ? fitting : firstLimit;
  let characters = 0;
  while (rows.length < limit && characters < maxCharacters) {
    const portion = reader.all(rows.at(-1)?.[0] ?? after, upTo, filter, wanted, isLarge);
    rows.push(...portion);
    characters += portion.reduce((sum, row) => sum + sizeOf(row), 0);
    if (portion.length < wanted) return { rows, characters, full: false };
    wanted = nextPortion(rows.length, characters, limit);
  }
  return { rows, characters, full: true };
};

/**
 * The next page: as many events as there are, but at most `limit` and about 1 MB. Rows are read in portions sized by
 * the events read so far, so that large events never come into memory by the thousand. Rejects when a row is damaged.
 */
export const readPage = async (
  reader: Reader,
  after: number,
  upTo: number,
  filter: EventFilter,
  limit = maxEvents,
): Promise<ReadPage> => {
  const { rows, characters, full } = await readRows(reader, after, upTo, filter, limit);
  const examined = full ? (rows.at(-1)?.[0] ?? after) : upTo;
  const events = await eventsOfRows(reader, rows);
  return { page: { events, examined: examined > after ? toPosition(examined) : null }, characters };
};

/** Reads the page after one row and up to another. */
export type ReadShared = (after: number, upTo: number, filter: EventFilter) => Promise<ReadPage>;

/** Up to this many rows are read once for all subscriptions, instead of once for each filter. */
const fewRows = 250;

const nothing: ReadPage = { page: { events: [], examined: null }, characters: 0 };

const passes = ({ types, categories }: EventFilter): ((event: StoredEvent) => boolean) => {
  const [type, category] = [types && new Set(types), categories && new Set(categories)];
  return (event) => type?.has(event.type) !== false && category?.has(streamCategory(event.stream)) !== false;
};

/**
 * Reads pages for subscriptions. At the head of the log all of them ask for the same few rows; these are read, verified
 * and parsed once, whatever the filters.
 */
export const sharedPages = (reader: Reader): ReadShared => {
  let shared: { readonly after: number; readonly upTo: number; readonly read: Promise<ReadPage> } | null = null;
  return async (after, upTo, filter) => {
    if (upTo <= after) return nothing;
    if (upTo - after > fewRows) return readPage(reader, after, upTo, filter);
    if (shared?.after !== after || shared.upTo !== upTo) {
      const reading = { after, upTo, read: readPage(reader, after, upTo, {}) };
      shared = reading;
      // A failure may pass: the next subscription that asks must not get it again.
      reading.read.catch(() => {
        if (shared === reading) shared = null;
      });
    }
    if (filter.types === undefined && filter.categories === undefined) return shared.read;
    const { page, characters } = await shared.read;
    return { page: { ...page, events: page.events.filter(passes(filter)) }, characters };
  };
};
