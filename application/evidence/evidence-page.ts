import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { Chunks } from '../../domain/audio/events.js';
import type { Failure } from '../failures.js';
import type { Evidence, PartReader, PartSummary } from './part-reader.js';

/** Which items are wanted: those that overlap a span. */
export interface EvidenceQuery {
  /** In seconds; null: unbounded. */
  readonly from: number | null;
  readonly to: number | null;
  /** The current face or speaker id. */
  readonly subject: number | null;
  readonly limit: number;
}

/** Where a page begins. */
export interface Place {
  readonly part: number;
  /** Within the part. */
  readonly offset: number;
  /** The index within all items, as they were sent. */
  readonly index: number;
}

export interface Found<Item> {
  readonly index: number;
  /** The current face or speaker of the item. */
  readonly subject: number;
  readonly item: Item;
}

export interface EvidencePage<Item> {
  readonly found: ReadonlyArray<Found<Item>>;
  readonly next: Place | null;
}

export interface EvidenceSource<Item extends Evidence> {
  readonly reader: PartReader<Item>;
  readonly stream: string;
  readonly chunks: Chunks;
  /** The current id of a recorded face or speaker: the same, another after a merge, or null. */
  readonly currentId: (recorded: number) => number | null;
}

/** Keeps a page well below 8 MB, with up to three bytes per character. */
const maxCharacters = 2_500_000;

const begin: Place = { part: 0, offset: 0, index: 0 };

const overlaps = ({ from, to }: EvidenceQuery, start: number, end: number): boolean =>
  (to === null || start < to) && (from === null || end > from);

const isWanted = (query: EvidenceQuery, currentId: (recorded: number) => number | null, recorded: number): boolean => {
  const subject = currentId(recorded);
  return subject !== null && (query.subject === null || query.subject === subject);
};

/** A page that is being filled. */
interface Filling<Item> {
  readonly found: Array<Found<Item>>;
  characters: number;
}

/**
 * Adds the matching items of one part to the page. Returns the place of the first item that does not fit. Allocates nothing
 * for items that do not match, since a part has thousands.
 */
const take = <Item extends Evidence>(
  { currentId }: EvidenceSource<Item>,
  query: EvidenceQuery,
  items: ReadonlyArray<Item>,
  { part, offset, index }: Place,
  page: Filling<Item>,
): Place | null => {
  for (let at = offset; at < items.length; at += 1) {
    const item = items[at];
    if (item === undefined || !overlaps(query, item.start, item.end)) continue;
    const subject = currentId(item.subject);
    if (subject === null || (query.subject !== null && query.subject !== subject)) continue;
    const isFull = page.found.length >= query.limit || page.characters + item.size > maxCharacters;
    if (isFull && page.found.length > 0) return { part, offset: at, index: index + at - offset };
    page.found.push({ index: index + at - offset, subject, item });
    page.characters += item.size;
  }
  return null;
};

const fill = <Item extends Evidence>(
  source: EvidenceSource<Item>,
  query: EvidenceQuery,
  summaries: ReadonlyArray<PartSummary> | null,
  place: Place,
  page: Filling<Item>,
): TE.TaskEither<Failure, EvidencePage<Item>> => {
  const { reader, stream, chunks, currentId } = source;
  if (place.part >= chunks.parts) return TE.right({ found: page.found, next: null });
  const summary = summaries?.[place.part];
  const goOn = (passed: number): TE.TaskEither<Failure, EvidencePage<Item>> =>
    fill(source, query, summaries, { part: place.part + 1, offset: 0, index: place.index + passed }, page);
  const mayHold =
    summary === undefined ||
    (overlaps(query, summary.earliest_start, summary.latest_end) &&
      [...summary.subjects].some((recorded) => isWanted(query, currentId, recorded)));
  if (!mayHold) return goOn(summary.count - place.offset);
  return pipe(
    reader.items(stream, chunks, place.part),
    TE.chain((items) => {
      const next = take(source, query, items, place, page);
      return next === null ? goOn(items.length - place.offset) : TE.right({ found: page.found, next });
    }),
  );
};

/**
 * A page of evidence in recorded order, of at most `limit` items and a few megabytes. Parts whose summaries exclude a match
 * are not read.
 */
export const evidencePage = <Item extends Evidence>(
  source: EvidenceSource<Item>,
  query: EvidenceQuery,
  place: Place | null,
): TE.TaskEither<Failure, EvidencePage<Item>> => {
  const isFiltered = query.from !== null || query.to !== null || query.subject !== null;
  return pipe(
    isFiltered
      ? source.reader.summaries(source.stream, source.chunks)
      : TE.right<Failure, ReadonlyArray<PartSummary> | null>(null),
    TE.chain((summaries) => fill(source, query, summaries, place ?? begin, { found: [], characters: 0 })),
  );
};
