import * as E from 'fp-ts/lib/Either.js';
import { constVoid } from 'fp-ts/lib/function.js';
import type { Position } from '../../domain/kernel/recorded-event.js';
import type { EventFilter, EventStore, StoreUnavailable, StoredEvent } from '../ports/event-store.js';

/** The progress of reading a log. */
export interface ReadProgress {
  /** The number of events read so far. */
  readonly events: number;
  /** From 0 to 1; null if the store's positions do not tell. */
  readonly share: number | null;
  /** What is counted, if not events. */
  readonly counted?: string;
}

export type OnProgress = (progress: ReadProgress) => void;

const shareOf = (position: Position, last: Position): number | null => {
  const share = Number(position) / Number(last);
  return share >= 0 ? Math.min(1, share) : null;
};

/** Events may have 200,000 characters: a page must fit into memory. */
const pageSize = 200;

type Pages = AsyncGenerator<E.Either<StoreUnavailable, ReadonlyArray<StoredEvent>>, void>;

/** The pages of a log, up to its head at the time of the call. Ends after a failure. */
export async function* readLog(
  store: EventStore,
  filter: EventFilter = {},
  from: Position | null = null,
  onProgress: OnProgress = constVoid,
  limit = pageSize,
): Pages {
  const head = await store.head()();
  if (E.isLeft(head)) yield head;
  const last = E.isLeft(head) ? null : head.right;
  if (last === null) return;
  let events = 0;
  for (let after = from; after === null || after < last;) {
    const page = await store.readAll(after, filter, limit)();
    if (E.isLeft(page)) yield page;
    if (E.isLeft(page) || page.right.examined === null) return;
    const wanted = page.right.events.filter(({ position }) => position <= last);
    after = page.right.examined;
    events += wanted.length;
    onProgress({ events, share: shareOf(after, last) });
    yield E.right(wanted);
  }
}

/** The pages of a stream. Ends after a failure. */
export async function* streamPages(store: EventStore, stream: string): Pages {
  for (let after = -1; ;) {
    const page = await store.read(stream, after, pageSize)();
    yield page;
    if (E.isLeft(page) || page.right.length < pageSize) return;
    after = page.right.at(-1)?.revision ?? after;
  }
}
