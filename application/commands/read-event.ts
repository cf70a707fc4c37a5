import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { type DomainEvent, decodeEvent } from '../../domain/event-catalogue.js';
import {
  type JsonObject,
  type Position,
  type RecordedEvent,
  EventMetadata,
} from '../../domain/kernel/recorded-event.js';
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
  const { position, stream, revision, id: event_id, withheld: why } = stored;
  const event: ReturnType<typeof decodeEvent> =
    why === undefined
      ? decodeEvent(stored.type, stored.data)
      : E.right({ type: 'Withheld', data: { stored: stored.type, why, erased_at: stored.erased_at ?? null } });
  if (E.isLeft(event)) return E.left(unreadable(stored, `${event.left.stored}: ${event.left.reason}`));
  return pipe(
    readMetadata(stored),
    E.map((metadata) => ({ position, stream, revision, event_id, event: event.right, metadata })),
  );
};

const [firstPage, maxPage] = [20, 500];

/**
 * Searches a stream backwards, page by page, from `revision` to the position `since`. Ends early at the beginning of a
 * block of found events if those wanted were appended together. Results are in the order of the stream.
 */
const searchBackwards = (
  store: EventStore,
  stream: string,
  revision: number,
  wanted: { readonly since: Position; readonly together: boolean; readonly is: (event: StoredEvent) => boolean },
  pageSize = firstPage,
): TE.TaskEither<Failure, ReadonlyArray<StoredEvent>> => {
  const after = Math.max(-1, revision - pageSize);
  if (revision <= after) return TE.right([]);
  return pipe(
    store.read(stream, after, revision - after),
    TE.chain((page) => {
      const found = page.filter(wanted.is);
      const [oldest] = page;
      const isWhole = wanted.together && found.length > 0 && found[0] !== oldest;
      return isWhole || oldest === undefined || oldest.position <= wanted.since
        ? TE.right(found)
        : pipe(
            searchBackwards(store, stream, after, wanted, Math.min(5 * pageSize, maxPage)),
            TE.map((earlier) => [...earlier, ...found]),
          );
    }),
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
): TE.TaskEither<Failure, boolean> =>
  pipe(
    searchBackwards(store, stream, revision, { since, together: true, is: (event) => event.id === id }),
    TE.map((found) => found.length > 0),
  );

interface Cause {
  readonly causation_id: string;
  /** The position of the cause: what it caused comes later. */
  readonly since: Position;
  /** Whether all events with this cause were appended together. */
  readonly together: boolean;
}

/** The events of a stream, up to `revision`, that have this cause. */
export const eventsCausedBy = (
  store: EventStore,
  stream: string,
  revision: number,
  { causation_id, ...cause }: Cause,
): TE.TaskEither<Failure, ReadonlyArray<RecordedEvent<DomainEvent>>> => {
  const is = (event: StoredEvent): boolean => {
    const metadata = readMetadata(event);
    return E.isLeft(metadata) || metadata.right.causation_id === causation_id;
  };
  return pipe(searchBackwards(store, stream, revision, { ...cause, is }), TE.chainEitherKW(E.traverseArray(readEvent)));
};
