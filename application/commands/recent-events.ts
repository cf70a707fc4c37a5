import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { Position } from '../../domain/kernel/recorded-event.js';
import type { EventStore, StoreUnavailable } from '../ports/event-store.js';

/** An event of a stream by its id; its position is null until the event is durable. */
export interface RecentEvent {
  readonly id: string;
  readonly position: Position | null;
}

/** The newest events of a stream, oldest first, without a gap. */
export type RecentEvents = ReadonlyArray<RecentEvent>;

const most = 16;
/** Pages back are larger each time: mostly what is sought lies near. */
const [firstPage, largestPage] = [20, 500];

/** The newest events after more have come. */
export const remember = (recent: RecentEvents, more: RecentEvents): RecentEvents =>
  [...recent, ...more.slice(-most).map(({ id, position }) => ({ id, position }))].slice(-most);

/** The end of a stream as somebody has read it. */
interface StreamEnd {
  readonly stream: string;
  /** Of the last event; -1 before the first. */
  readonly revision: number;
  readonly recent: RecentEvents;
}

/** An event that was written, if ever, after a position. */
interface Sought {
  readonly id: string;
  readonly since: Position;
}

const isIn = (recent: RecentEvents, { id }: Sought): boolean => recent.some((event) => event.id === id);

const readBack = (
  store: EventStore,
  stream: string,
  revision: number,
  sought: Sought,
  page_size = firstPage,
): TE.TaskEither<StoreUnavailable, boolean> => {
  const after = Math.max(-1, revision - page_size);
  if (revision <= after) return TE.right(false);
  return pipe(
    store.read(stream, after, revision - after),
    TE.chain((page) => {
      if (isIn(page, sought)) return TE.right(true);
      const [oldest] = page;
      return oldest === undefined || oldest.position <= sought.since
        ? TE.right(false)
        : readBack(store, stream, after, sought, Math.min(5 * page_size, largestPage));
    }),
  );
};

/**
 * Whether a stream has an event already, up to a revision. Not every store refuses an id that it holds: one at the end of
 * a stream may be stored once more. What is remembered tells, unless the position lies too far back; then the stream is
 * read from its end back to there.
 */
export const isWritten = (
  store: EventStore,
  { stream, revision, recent }: StreamEnd,
  sought: Sought,
): TE.TaskEither<StoreUnavailable, boolean> => {
  if (isIn(recent, sought)) return TE.right(true);
  const oldest = recent[0]?.position ?? null;
  const isCovered = recent.length === revision + 1 || (oldest !== null && oldest <= sought.since);
  return isCovered ? TE.right(false) : readBack(store, stream, revision, sought);
};
