import * as E from 'fp-ts/lib/Either.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import { jsonLength } from '../../domain/kernel/size.js';
import type { EventPlace, EventSelection } from '../../projections/event-selection.js';
import type { EventPageRequest, InvalidCursor, Queries, ReadModelsUnavailable } from '../../projections/queries.js';
import type { EventStore, StoreUnavailable, StoredEvent } from '../ports/event-store.js';

/** Events of a selection as they are stored, in the order of the log. */
export interface SelectedEvents {
  readonly events: ReadonlyArray<StoredEvent>;
  /** Null at the end of the selection. */
  readonly next_cursor: string | null;
  readonly until: string;
}

/** Reading and decoding events keeps other work waiting: so much of them is read at once, in bytes. */
const mostBytes = 500_000;

/** Places that follow each other in one stream, so that one read gets them. */
const runsOf = (places: ReadonlyArray<EventPlace>): ReadonlyArray<ReadonlyArray<EventPlace>> => {
  const runs: EventPlace[][] = [];
  for (const place of places) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    if (last?.stream === place.stream && last.revision + 1 === place.revision && (run?.length ?? 0) < longestRun)
      run?.push(place);
    else runs.push([place]);
  }
  return runs;
};
const longestRun = 20;

/**
 * A part of a selection: at most as many events as asked for, and fewer where they are large, or none where it takes long to
 * find the next one.
 */
export const readSelection =
  (
    store: EventStore,
    queries: Queries,
    selection: EventSelection,
    page: EventPageRequest,
  ): TaskEither<ReadModelsUnavailable | InvalidCursor | StoreUnavailable, SelectedEvents> =>
  async () => {
    const found = await queries.events(selection, page)();
    if (E.isLeft(found)) return found;
    const { items, next_cursor, until } = found.right;
    const events: StoredEvent[] = [];
    let bytes = 0;
    let last = page.cursor;
    for (const run of runsOf(items)) {
      const read = await store.read(run[0]?.stream ?? '', (run[0]?.revision ?? 0) - 1, run.length, mostBytes)();
      if (E.isLeft(read)) return read;
      bytes += jsonLength(read.right);
      if (bytes > mostBytes && events.length > 0) return E.right({ events, next_cursor: last, until });
      events.push(...read.right);
      last = run[read.right.length - 1]?.cursor ?? last;
      if (read.right.length < run.length) return E.right({ events, next_cursor: last, until });
    }
    return E.right({ events, next_cursor, until });
  };
