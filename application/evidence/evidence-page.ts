import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { Chunks } from '../../domain/audio/events.js';
import type { Failure } from '../failures.js';
import type { Evidence, PartReader, PartSummary } from './part-reader.js';

/** What of the evidence is wanted: all that overlaps the span, given whole. */
export interface EvidenceQuery {
  /** Seconds; null leaves the span open. */
  readonly from: number | null;
  readonly to: number | null;
  /** The face or speaker, as it is known today. */
  readonly subject: number | null;
  readonly limit: number;
}

/** Where a page begins. */
export interface Place {
  readonly part: number;
  /** Within the part. */
  readonly offset: number;
  /** Within the whole evidence, as it was sent. */
  readonly index: number;
}

export interface Found<Item> {
  readonly index: number;
  /** Whom the item is of today. */
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
  /** Whom a subject of the record is today: itself, another one after a merge, or nobody. */
  readonly today: (recorded: number) => number | null;
}

/** A page keeps well below 8 MB, with up to three bytes a character. */
const mostCharacters = 2_500_000;

const begin: Place = { part: 0, offset: 0, index: 0 };

const overlaps = ({ from, to }: EvidenceQuery, start: number, end: number): boolean =>
  (to === null || start < to) && (from === null || end > from);

const isWanted = (query: EvidenceQuery, today: (recorded: number) => number | null, recorded: number): boolean => {
  const subject = today(recorded);
  return subject !== null && (query.subject === null || query.subject === subject);
};

/** A page that is being filled. */
interface Filling<Item> {
  readonly found: Array<Found<Item>>;
  characters: number;
}

/**
 * Takes what is wanted of one part; answers the place of the first item that the page has no room for. A part has
 * thousands of items: nothing is made of those that are passed over.
 */
const take = <Item extends Evidence>(
  { today }: EvidenceSource<Item>,
  query: EvidenceQuery,
  items: ReadonlyArray<Item>,
  { part, offset, index }: Place,
  page: Filling<Item>,
): Place | null => {
  for (let at = offset; at < items.length; at += 1) {
    const item = items[at];
    if (item === undefined || !overlaps(query, item.start, item.end)) continue;
    const subject = today(item.subject);
    if (subject === null || (query.subject !== null && query.subject !== subject)) continue;
    const isFull = page.found.length >= query.limit || page.characters + item.size > mostCharacters;
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
  const { reader, stream, chunks, today } = source;
  if (place.part >= chunks.parts) return TE.right({ found: page.found, next: null });
  const summary = summaries?.[place.part];
  const goOn = (passed: number): TE.TaskEither<Failure, EvidencePage<Item>> =>
    fill(source, query, summaries, { part: place.part + 1, offset: 0, index: place.index + passed }, page);
  const mayHold =
    summary === undefined ||
    (overlaps(query, summary.earliest_start, summary.latest_end) &&
      [...summary.subjects].some((recorded) => isWanted(query, today, recorded)));
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
 * A page of evidence in the order in which it was recorded, at most `limit` items and a few megabytes. Parts that
 * cannot hold what is wanted are not read, once all have been summarised.
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
