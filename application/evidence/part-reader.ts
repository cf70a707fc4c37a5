import * as TE from 'fp-ts/lib/TaskEither.js';
import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import { LRUCache } from 'lru-cache';
import type { Chunks } from '../../domain/audio/events.js';
import type { DomainEvent } from '../../domain/event-catalogue.js';
import type { Interval } from '../../domain/kernel/interval.js';
import type { Uses } from '../application.js';
import { type Failure, withheld } from '../failures.js';
import type { OnErasure } from '../ports/key-vault.js';
import type { EventStore } from '../ports/event-store.js';
import { readEvent } from '../commands/read-event.js';

/** Reads the parts that an aggregate's event refers to, in order. */
export const readParts = (
  store: EventStore,
  stream: string,
  chunks: Chunks | null,
): TE.TaskEither<Failure, ReadonlyArray<DomainEvent>> =>
  chunks === null
    ? TE.right([])
    : pipe(
        Array.from({ length: chunks.parts }, (_, part) => chunks.first_revision + part),
        // One at a time: a part may be large.
        TE.traverseSeqArray((revision) =>
          pipe(
            store.read(stream, revision - 1, 1),
            TE.chainW((events) => TE.fromEither(E.traverseArray(readEvent)(events))),
            TE.chainW(
              TE.traverseArray(({ event }) =>
                event.type === 'Withheld' ? TE.left(withheld(stream, event.data)) : TE.right(event),
              ),
            ),
          ),
        ),
        TE.map((parts) => parts.flat()),
      );

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

/**
 * Returns the cached value of a key, or reads and caches it. An erasure empties the cache; a value that was being read
 * meanwhile goes to the old one, which nobody reads again.
 */
const cachedUpTo = <Value extends ReadonlyArray<unknown>>(maxSize: number, onErasure: OnErasure) => {
  const empty = () => new LRUCache<string, Value>({ maxSize, sizeCalculation: ({ length }) => Math.max(1, length) });
  let cache = empty();
  onErasure(() => {
    cache = empty();
  });
  return (key: string, read: TE.TaskEither<Failure, Value>): TE.TaskEither<Failure, Value> => {
    const into = cache;
    const known = into.get(key);
    return known !== undefined
      ? TE.right(known)
      : pipe(
          read,
          TE.map((value) => {
            into.set(key, value);
            return value;
          }),
        );
  };
};

export const partReader = <Item extends Evidence>(
  { store, onErasure }: Uses<'store' | 'onErasure'>,
  itemsOf: (event: DomainEvent) => ReadonlyArray<Item>,
): PartReader<Item> => {
  const cachedItems = cachedUpTo<ReadonlyArray<Item>>(maxItems, onErasure);
  const cachedSummaries = cachedUpTo<ReadonlyArray<PartSummary>>(maxSummaries, onErasure);
  const read = (stream: string, revision: number): TE.TaskEither<Failure, ReadonlyArray<Item>> =>
    pipe(
      readParts(store, stream, { first_revision: revision, parts: 1 }),
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
