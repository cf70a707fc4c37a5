import type { EventFilter, StoredEvent } from '../../../application/ports/event-store.js';
import { streamCategory } from '../../../domain/kernel/stream-name.js';
import { type ReadPage, readPage } from './page.js';
import type { Reader } from './reader.js';

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
