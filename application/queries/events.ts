import * as E from 'fp-ts/lib/Either.js';
import { shownMetadata } from '../../projections/audit/shown-event.js';
import {
  type EventPlace,
  type EventSelection,
  everyEvent,
  unmatchableFilter,
} from '../../projections/event-selection.js';
import type {
  EventPageRequest,
  InvalidCursor,
  Listing,
  PageRequest,
  Queries,
  ReadModelsUnavailable,
} from '../../projections/queries.js';
import type { EventStore, StoreUnavailable, StoredEvent } from '../ports/event-store.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { DomainEvent } from '../../domain/event-catalogue.js';
import type { RecordedEvent } from '../../domain/kernel/recorded-event.js';
import type { Timestamp } from '../../domain/kernel/timestamp.js';
import type { Failure } from '../failures.js';
import { readEvent } from '../commands/read-event.js';

/** A point in a record's history: after a revision, at a time, or now. */
export type PointInHistory =
  | { readonly kind: 'revision'; readonly revision: number }
  | { readonly kind: 'time'; readonly time: Timestamp }
  | { readonly kind: 'now' };

/** Whether an event had happened at a point in history. */
export const isWithin = ({ revision, metadata }: RecordedEvent<DomainEvent>, until: PointInHistory): boolean => {
  switch (until.kind) {
    case 'revision':
      return revision <= until.revision;
    case 'time':
      return metadata.recorded_at <= until.time;
    case 'now':
      return true;
  }
};

/**
 * The next events of a stream after a revision (-1: from the first), at most `limit`. With `maxBytes`, fewer where they are
 * large, but at least one if there is any.
 */
export const readHistoryPage = (
  store: Pick<EventStore, 'read'>,
  stream: string,
  after: number,
  limit: number,
  maxBytes?: number,
): TE.TaskEither<Failure, ReadonlyArray<RecordedEvent<DomainEvent>>> =>
  pipe(
    store.read(stream, after, limit, maxBytes),
    TE.chainW((events) => TE.fromEither(E.traverseArray(readEvent)(events))),
  );

/** Stored events of a selection, in the order of the page. */
export interface SelectedEvents {
  readonly events: ReadonlyArray<StoredEvent>;
  /** Null at the end of the selection. */
  readonly next_cursor: string | null;
  readonly until: string;
}

/** Why selected events cannot be read. */
export type UnreadSelection = ReadModelsUnavailable | InvalidCursor | StoreUnavailable;

/** Limits what is read at once, in characters of JSON. */
const maxBytes = 500_000;

/** Groups consecutive events of one stream, so that one read fetches a group. */
const runsOf = (places: ReadonlyArray<EventPlace>, descending: boolean): ReadonlyArray<ReadonlyArray<EventPlace>> => {
  if (descending) return places.map((place) => [place]);
  const runs: EventPlace[][] = [];
  for (const place of places) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    if (last?.stream === place.stream && last.revision + 1 === place.revision && (run?.length ?? 0) < maxRun)
      run?.push(place);
    else runs.push([place]);
  }
  return runs;
};
const maxRun = 20;

/**
 * A page of a selection: at most as many events as requested, fewer where they are large, and none where finding the next
 * one takes long.
 */
export const readSelection =
  (
    store: EventStore,
    queries: Queries,
    selection: EventSelection,
    page: EventPageRequest,
  ): TE.TaskEither<UnreadSelection, SelectedEvents> =>
  async () => {
    const found = await queries.events(selection, page)();
    if (E.isLeft(found)) return found;
    const { items, next_cursor, until } = found.right;
    const events: StoredEvent[] = [];
    let bytes = 0;
    let last = page.cursor;
    for (const run of runsOf(items, page.descending === true)) {
      const read = await store.read(run[0]?.stream ?? '', (run[0]?.revision ?? 0) - 1, run.length, maxBytes)();
      if (E.isLeft(read)) return read;
      bytes += JSON.stringify(read.right).length;
      if (bytes > maxBytes && events.length > 0) return E.right({ events, next_cursor: last, until });
      events.push(...read.right);
      last = run[read.right.length - 1]?.cursor ?? last;
      if (read.right.length < run.length) return E.right({ events, next_cursor: last, until });
    }
    return E.right({ events, next_cursor, until });
  };

/** Reads a selection up to the end of the log as it was when the first page was read. */
export const selectionReader = (
  store: EventStore,
  queries: Queries,
  selection: EventSelection,
  descending: boolean,
): ((page: PageRequest) => TE.TaskEither<UnreadSelection, Listing<StoredEvent>>) => {
  let until: string | null = null;
  /** The index finds requests by a hash of their id, so the id itself is compared here. */
  const isOfRequest = ({ metadata }: StoredEvent): boolean =>
    selection.request_id === null || shownMetadata(metadata).request_id === selection.request_id;
  return (page) =>
    pipe(
      readSelection(store, queries, selection, { ...page, until, descending }),
      TE.map((found) => {
        until ??= found.until;
        return { items: found.events.filter(isOfRequest), next_cursor: found.next_cursor };
      }),
    );
};

/**
 * The filter that no event can meet, if the log has none: an empty answer would say that nothing happened. Other programs
 * may have written what this service does not know to the same EventStoreDB.
 */
export const unmatchedFilter = (
  queries: Queries,
  selection: EventSelection,
): TE.TaskEither<ReadModelsUnavailable | InvalidCursor, ReturnType<typeof unmatchableFilter>> => {
  const { stream, category, type, hide } = selection;
  const wrong = unmatchableFilter(selection);
  return wrong === null
    ? TE.right(null)
    : pipe(
        queries.events({ ...everyEvent, stream, category, type, hide }, { limit: 1, cursor: null, until: null }),
        TE.map(({ items }) => (items.length > 0 ? null : wrong)),
      );
};
