import * as E from 'fp-ts/lib/Either.js';
import { identity } from 'fp-ts/lib/function.js';
import type { Position } from '../../domain/kernel/recorded-event.js';
import { isServerRecord } from '../../domain/kernel/stream-name.js';
import type { EventStore, StoreUnavailable, StoredEvent } from '../ports/event-store.js';

/** A summary of a log, for comparing two logs. */
export interface LogSummary {
  readonly events: number;
  /** The last revision of each stream. */
  readonly streams: ReadonlyMap<string, number>;
  /** A digest of the content of all events, in order. */
  readonly digest: string;
}

/** Whether an event belongs to the log, rather than to the server's own records. */
export const isOwn = (event: StoredEvent): boolean => !isServerRecord(event);

const pageSize = 500;

/**
 * Passes the pages of a log to a handler, up to its end or to the position `end`. Returns the position reached. Stops when the
 * handler fails.
 */
export const readPages = async <Failure>(
  store: EventStore,
  start: Position | null,
  end: Position | null,
  handle: (events: ReadonlyArray<StoredEvent>) => Promise<E.Either<Failure, void>>,
): Promise<E.Either<StoreUnavailable | Failure, Position | null>> => {
  for (let after = start; ;) {
    const page = await store.readAll(after, {}, pageSize)();
    if (E.isLeft(page)) return page;
    const { events, examined } = page.right;
    if (examined === null) return E.right(after);
    const handled = await handle(events.filter(({ position }) => end === null || position <= end));
    if (E.isLeft(handled)) return handled;
    if (end !== null && examined >= end) return E.right(end);
    after = examined;
  }
};

/** Summarises a log, up to its end or to the position `end`. */
export const summaryOf = async (
  store: EventStore,
  digest: (text: string) => string,
  end: Position | null,
  shown: (event: StoredEvent) => StoredEvent = identity,
): Promise<E.Either<StoreUnavailable, LogSummary>> => {
  const streams = new Map<string, number>();
  let events = 0;
  let content = '';
  const read = await readPages<never>(store, null, end, async (page) => {
    const own = page.filter(isOwn);
    own.forEach(({ stream, revision }) => streams.set(stream, revision));
    events += own.length;
    for (const { stream, revision, id, type, data, metadata } of own.map(shown))
      content = digest(`${content}\n${JSON.stringify([stream, revision, id, type, data, metadata])}`);
    return E.right(undefined);
  });
  return E.isLeft(read) ? read : E.right({ events, streams, digest: content });
};
