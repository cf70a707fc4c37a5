import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { type DomainEvent, decodeEvent } from '../../domain/event-catalogue.js';
import type { JsonObject } from '../../domain/kernel/json.js';
import { type Position, type RecordedEvent, EventMetadata } from '../../domain/kernel/recorded-event.js';
import { type Failure, type UnreadableEvent, unreadable } from '../failures.js';
import type { EventStore, StoredEvent } from '../ports/event-store.js';

/** An event of any kind of stream. */
export type AnyEvent = { readonly type: string; readonly data: JsonObject };

/** Decodes the metadata of a stored event. */
export const readMetadata = (stored: StoredEvent): E.Either<UnreadableEvent, EventMetadata> =>
  E.mapLeft(() => unreadable(stored, `${stored.type}: the metadata does not fit`))(
    EventMetadata.decode(stored.metadata),
  );

/** Decodes a stored event. Fails, with the event's place, where no codec accepts it; such events are never skipped. */
export const readEvent = (stored: StoredEvent): E.Either<UnreadableEvent, RecordedEvent<DomainEvent>> => {
  const { position, stream, revision, withheld } = stored;
  const event: ReturnType<typeof decodeEvent> =
    withheld === undefined
      ? decodeEvent(stored.type, stored.data)
      : E.right({
          type: 'Withheld',
          data: { stored: stored.type, why: withheld, erased_at: stored.erased_at ?? null },
        });
  if (E.isLeft(event)) return E.left(unreadable(stored, `${event.left.stored}: ${event.left.reason}`));
  const metadata = readMetadata(stored);
  if (E.isLeft(metadata)) return metadata;
  return E.right({
    position,
    stream,
    revision,
    event_id: stored.id,
    event: event.right,
    metadata: metadata.right,
  });
};

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
}

const [firstPage, maxPage] = [20, 500];

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
                searchBackwards(store, search, after, Math.min(5 * pageSize, maxPage)),
                TE.map((earlier) => [...earlier, ...found]),
              );
        }),
      ),
    ),
  );
};

/**
 * Whether a stream contains an event with this id, up to `revision`. `since` is a position that the event cannot precede.
 * Needed because some stores accept an id again that they already hold.
 */
export const isWritten = (
  store: EventStore,
  stream: string,
  revision: number,
  { id, since }: { readonly id: string; readonly since: Position },
): TE.TaskEither<Failure, boolean> => {
  const inPage = (page: ReadonlyArray<StoredEvent>) => {
    const found = page.filter((event) => event.id === id);
    return E.right({ found, complete: found.length > 0 });
  };
  return pipe(
    searchBackwards(store, { stream, since, inPage }, revision),
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
  return searchBackwards(store, { stream, since, inPage }, revision);
};
