import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { Chunks } from '../../domain/audio/events.js';
import type { DomainEvent } from '../../domain/event-catalogue.js';
import type { Interval } from '../../domain/kernel/interval.js';
import { type LruCache, lruCache } from '../lru-cache.js';
import type { Failure } from '../failures.js';
import type { EventStore } from '../ports/event-store.js';
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

/** What the cache holds under a key, or else what is read, which it holds from then on. */
const remembered = <Value extends object>(
  cache: LruCache<Value>,
  key: string,
  read: TE.TaskEither<Failure, Value>,
): TE.TaskEither<Failure, Value> => {
  const known = cache.get(key);
  if (known !== undefined) return TE.right(known);
  return pipe(
    read,
    TE.map((value) => {
      cache.set(key, value);
      return value;
    }),
  );
};

/** `pause` lets other work pass before each part that is read. */
export const partReader = <Item extends Evidence>(
  store: EventStore,
  itemsOf: (event: DomainEvent) => ReadonlyArray<Item>,
  pause: () => Promise<void>,
): PartReader<Item> => {
  const recentItems = lruCache<ReadonlyArray<Item>>(mostItems, weightOf);
  const recentSummaries = lruCache<ReadonlyArray<PartSummary>>(mostSummaries, weightOf);
  const read = (stream: string, revision: number): TE.TaskEither<Failure, ReadonlyArray<Item>> =>
    pipe(
      TE.fromTask<void, Failure>(pause),
      TE.chain(() => readParts(store, stream, { first_revision: revision, parts: 1 })),
      TE.map((events) => events.flatMap(itemsOf)),
    );
  return {
    items: (stream, { first_revision }, part) =>
      remembered(recentItems, `${stream}@${first_revision + part}`, read(stream, first_revision + part)),
    summaries: (stream, chunks) =>
      remembered(
        recentSummaries,
        `${stream}@${chunks.first_revision}`,
        pipe(
          revisionsOf(chunks),
          TE.traverseSeqArray((revision) => pipe(read(stream, revision), TE.map(summaryOf))),
        ),
      ),
  };
};
