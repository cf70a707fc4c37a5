import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { Chunks } from '../../domain/audio/events.js';
import { type DomainEvent, isErasing } from '../../domain/event-catalogue.js';
import type { Interval } from '../../domain/kernel/interval.js';
import { type LruCache, lruCache } from '../lru-cache.js';
import type { Uses } from '../application.js';
import type { Failure } from '../failures.js';
import type { LiveFeed } from '../ports/live-feed.js';
import { readParts } from './read-parts.js';

/** An interval of evidence, with the recorded face or speaker. */
export interface Evidence extends Interval {
  readonly subject: number;
  /** Its approximate size in an answer, in characters. */
  readonly size: number;
}

/** A summary of one part, with which queries by time or subject can skip the part. */
export interface PartSummary {
  readonly count: number;
  /** Seconds. */
  readonly earliest_start: number;
  readonly latest_end: number;
  readonly subjects: ReadonlySet<number>;
}

/** Reads the parts of evidence streams, with an LRU cache. */
export interface PartReader<Item extends Evidence> {
  /** The items of one part, in recorded order. */
  readonly items: (stream: string, chunks: Chunks, part: number) => TE.TaskEither<Failure, ReadonlyArray<Item>>;
  /** The summaries of all parts; the first call for an analysis reads all parts. */
  readonly summaries: (stream: string, chunks: Chunks) => TE.TaskEither<Failure, ReadonlyArray<PartSummary>>;
}

const maxItems = 100_000;
const maxSummaries = 20_000;

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
 * Returns the cached value of a key, or reads and caches it. An erasure clears the cache, and values that were being read
 * meanwhile are not cached.
 */
const cachedBy = <Value extends object>(cache: LruCache<Value>, liveFeed: Pick<LiveFeed, 'onEvent'>) => {
  let erasures = 0;
  liveFeed.onEvent(({ type }) => {
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

/** `pause` yields to other work before each part is read. */
export const partReader = <Item extends Evidence>(
  { store, liveFeed }: Uses<'store' | 'liveFeed'>,
  itemsOf: (event: DomainEvent) => ReadonlyArray<Item>,
  pause: () => Promise<void>,
): PartReader<Item> => {
  const cachedItems = cachedBy(lruCache<ReadonlyArray<Item>>(maxItems, weightOf), liveFeed);
  const cachedSummaries = cachedBy(lruCache<ReadonlyArray<PartSummary>>(maxSummaries, weightOf), liveFeed);
  const read = (stream: string, revision: number): TE.TaskEither<Failure, ReadonlyArray<Item>> =>
    pipe(
      TE.fromTask<void, Failure>(pause),
      TE.chain(() => readParts(store, stream, { first_revision: revision, parts: 1 })),
      TE.map((events) => events.flatMap(itemsOf)),
    );
  return {
    items: (stream, { first_revision }, part) =>
      cachedItems(`${stream}@${first_revision + part}`, read(stream, first_revision + part)),
    summaries: (stream, chunks) =>
      cachedSummaries(
        `${stream}@${chunks.first_revision}`,
        pipe(
          revisionsOf(chunks),
          TE.traverseSeqArray((revision) => pipe(read(stream, revision), TE.map(summaryOf))),
        ),
      ),
  };
};
