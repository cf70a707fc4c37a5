import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { Chunks } from '../../domain/audio/events.js';
import { type DomainEvent, isErasing } from '../../domain/event-catalogue.js';
import type { Interval } from '../../domain/kernel/interval.js';
import { type LruCache, lruCache } from '../lru-cache.js';
import type { Uses } from '../application.js';
import type { Failure } from '../failures.js';
import type { StoreNews } from '../ports/store-news.js';
import { readParts } from './read-parts.js';

/** An interval of evidence with the face or speaker that it was recorded of. */
export interface Evidence extends Interval {
  readonly subject: number;
  /** About how many characters it takes in an answer. */
  readonly size: number;
}

/** What one part holds, so that a query by time or subject need not read it. */
export interface PartSummary {
  readonly count: number;
  /** Seconds. */
  readonly earliest_start: number;
  readonly latest_end: number;
  readonly subjects: ReadonlySet<number>;
}

/** Reads the parts of evidence streams, and remembers those that were read last. */
export interface PartReader<Item extends Evidence> {
  /** The items of one part, in the order in which they were recorded. */
  readonly items: (stream: string, chunks: Chunks, part: number) => TE.TaskEither<Failure, ReadonlyArray<Item>>;
  /** A summary of every part; the first call for an analysis reads all of them. */
  readonly summaries: (stream: string, chunks: Chunks) => TE.TaskEither<Failure, ReadonlyArray<PartSummary>>;
}

const mostItems = 100_000;
const mostSummaries = 20_000;

const summaryOf = (items: ReadonlyArray<Evidence>): PartSummary => ({
  count: items.length,
  earliest_start: items.reduce((earliest, { start }) => Math.min(earliest, start), Infinity),
  latest_end: items.reduce((latest, { end }) => Math.max(latest, end), -Infinity),
  subjects: new Set(items.map(({ subject }) => subject)),
});

const revisionsOf = ({ first_revision, parts }: Chunks): ReadonlyArray<number> =>
  Array.from({ length: parts }, (_, part) => first_revision + part);

const weightOf = ({ length }: ReadonlyArray<unknown>): number => Math.max(1, length);

/**
 * Gives what the cache holds under a key, or else what is read, which it holds from then on. An erasure empties it, and
 * what was being read meanwhile is not kept.
 */
const remembering = <Value extends object>(cache: LruCache<Value>, news: Pick<StoreNews, 'onEvent'>) => {
  let erasures = 0;
  news.onEvent(({ type }) => {
    if (!isErasing(type)) return;
    erasures += 1;
    cache.clear();
  });
  return (key: string, read: TE.TaskEither<Failure, Value>): TE.TaskEither<Failure, Value> => {
    const known = cache.get(key);
    if (known !== undefined) return TE.right(known);
    const before = erasures;
    return pipe(
      read,
      TE.map((value) => {
        if (erasures === before) cache.set(key, value);
        return value;
      }),
    );
  };
};

/** `pause` lets other work pass before each part that is read. */
export const partReader = <Item extends Evidence>(
  { store, news }: Uses<'store' | 'news'>,
  itemsOf: (event: DomainEvent) => ReadonlyArray<Item>,
  pause: () => Promise<void>,
): PartReader<Item> => {
  const recentItems = remembering(lruCache<ReadonlyArray<Item>>(mostItems, weightOf), news);
  const recentSummaries = remembering(lruCache<ReadonlyArray<PartSummary>>(mostSummaries, weightOf), news);
  const read = (stream: string, revision: number): TE.TaskEither<Failure, ReadonlyArray<Item>> =>
    pipe(
      TE.fromTask<void, Failure>(pause),
      TE.chain(() => readParts(store, stream, { first_revision: revision, parts: 1 })),
      TE.map((events) => events.flatMap(itemsOf)),
    );
  return {
    items: (stream, { first_revision }, part) =>
      recentItems(`${stream}@${first_revision + part}`, read(stream, first_revision + part)),
    summaries: (stream, chunks) =>
      recentSummaries(
        `${stream}@${chunks.first_revision}`,
        pipe(
          revisionsOf(chunks),
          TE.traverseSeqArray((revision) => pipe(read(stream, revision), TE.map(summaryOf))),
        ),
      ),
  };
};
