import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { DomainEvent } from '../../domain/event-catalogue.js';
import type { Position, RecordedEvent } from '../../domain/kernel/recorded-event.js';
import type { CommandContext } from './context.js';
import type { Failure } from '../failures.js';
import { type AnyEvent, readEvent } from './read-event.js';
import type { EventStore, StoredEvent } from '../ports/event-store.js';

/** An event's id and position; the position is null until the event is durable. */
export interface RecentEvent {
  readonly id: string;
  readonly position: Position | null;
}

/** The newest events of a stream, oldest first, without gaps. */
export type RecentEvents = ReadonlyArray<RecentEvent>;

const maxRecent = 16;

/** The newest events after `more` were added. */
export const appendRecent = (recent: RecentEvents, more: RecentEvents): RecentEvents =>
  [...recent, ...more.slice(-maxRecent).map(({ id, position }) => ({ id, position }))].slice(-maxRecent);

/** What a search found in one page, and whether earlier pages cannot add to it. */
interface PageResult<Found> {
  readonly found: ReadonlyArray<Found>;
  readonly complete: boolean;
}

interface Search<Found> {
  readonly stream: string;
  /** Nothing at or before this position is of interest. */
  readonly since: Position;
  readonly inPage: (page: ReadonlyArray<StoredEvent>) => E.Either<Failure, PageResult<Found>>;
  /** Each page is five times as large as the one before, up to this. */
  readonly maxPage: number;
}

const firstPage = 20;

/** Reads a stream backwards, page by page, from `revision` to the position `since`. Results are in stream order. */
const searchBackwards = <Found>(
  store: EventStore,
  search: Search<Found>,
  revision: number,
  pageSize = firstPage,
): TE.TaskEither<Failure, ReadonlyArray<Found>> => {
  const after = Math.max(-1, revision - pageSize);
  if (revision <= after) return TE.right([]);
  return pipe(
    store.read(search.stream, after, revision - after),
    TE.chain((page) =>
      pipe(
        TE.fromEither(search.inPage(page)),
        TE.chain(({ found, complete }) => {
          const [oldest] = page;
          return complete || oldest === undefined || oldest.position <= search.since
            ? TE.right(found)
            : pipe(
                searchBackwards(store, search, after, Math.min(5 * pageSize, search.maxPage)),
                TE.map((earlier) => [...earlier, ...found]),
              );
        }),
      ),
    ),
  );
};

const maxPageOfIds = 500;

/**
 * Whether a stream contains an event with this id, up to `revision`. `since` is a position that the event cannot precede.
 * Needed because some stores accept an id again that they already hold. Answers from `recent` where that reaches back to
 * `since`; otherwise it reads the stream backwards.
 */
export const isWritten = (
  store: EventStore,
  { stream, revision, recent }: { readonly stream: string; readonly revision: number; readonly recent: RecentEvents },
  { id, since }: { readonly id: string; readonly since: Position },
): TE.TaskEither<Failure, boolean> => {
  if (recent.some((event) => event.id === id)) return TE.right(true);
  const oldest = recent[0]?.position ?? null;
  const isCovered = recent.length === revision + 1 || (oldest !== null && oldest <= since);
  if (isCovered) return TE.right(false);
  const inPage = (page: ReadonlyArray<StoredEvent>) => {
    const found = page.filter((event) => event.id === id);
    return E.right({ found, complete: found.length > 0 });
  };
  return pipe(
    searchBackwards(store, { stream, since, inPage, maxPage: maxPageOfIds }, revision),
    TE.map((found) => found.length > 0),
  );
};

interface Cause {
  readonly causation_id: string;
  /** The position of the cause: what it caused comes later. */
  readonly since: Position;
  /** Whether all events with this cause were appended together. */
  readonly contiguous: boolean;
}

/** The events of a stream, up to `revision`, that have this cause. */
export const eventsCausedBy = (
  store: EventStore,
  stream: string,
  revision: number,
  { causation_id, since, contiguous }: Cause,
): TE.TaskEither<Failure, ReadonlyArray<RecordedEvent<DomainEvent>>> => {
  const inPage = (page: ReadonlyArray<StoredEvent>) =>
    pipe(
      page,
      E.traverseArray(readEvent),
      E.map((events) => {
        const found = events.filter(({ metadata }) => metadata.causation_id === causation_id);
        return { found, complete: contiguous && found.length > 0 && found[0] !== events[0] };
      }),
    );
  return searchBackwards(store, { stream, since, inPage, maxPage: firstPage }, revision);
};

interface EarlierAttempt<Event> {
  readonly recorded: ReadonlyArray<RecordedEvent<Event>>;
  /** Of the last of these. */
  readonly position: Position;
}

/**
 * Finds what an earlier attempt at the same command wrote, perhaps in another process. Null where it wrote nothing, or
 * where the command cannot have been attempted before.
 */
export const earlierAttempts =
  <Event extends AnyEvent>(store: EventStore, isOwn: (event: AnyEvent) => event is Event) =>
  (
    stream: string,
    revision: number,
    { repeats, causation_id }: CommandContext,
    lostRace: boolean,
  ): TE.TaskEither<Failure, EarlierAttempt<Event> | null> => {
    if (repeats === undefined || !(repeats.taken_over || lostRace)) return TE.right(null);
    return pipe(
      eventsCausedBy(store, stream, revision, { causation_id, since: repeats.since, contiguous: true }),
      TE.map((events) => {
        const recorded = events.flatMap(({ event, ...place }) => (isOwn(event) ? [{ ...place, event }] : []));
        const position = recorded.at(-1)?.position ?? null;
        return position === null ? null : { recorded, position };
      }),
    );
  };
