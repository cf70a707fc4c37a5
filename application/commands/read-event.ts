import * as E from 'fp-ts/lib/Either.js';
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

/** More events than a command causes. */
const maxEvents = 100;

/**
 * The events that an earlier attempt at a command appended to a stream, up to `revision`; none if there was no such attempt.
 * `idOf`: the ids of the command's events, the same at each attempt; `since`: a position that they cannot precede. Searches
 * backwards. Needed because some stores accept an id again that they already hold.
 */
export const earlierEvents = async (
  store: EventStore,
  stream: string,
  revision: number,
  since: Position,
  idOf: (index: number) => string,
): Promise<E.Either<Failure, ReadonlyArray<RecordedEvent<DomainEvent>>>> => {
  for (let [last, size] = [revision, 20]; last >= 0; [last, size] = [last - size, 500]) {
    const after = Math.max(-1, last - size);
    const page = await store.read(stream, after, last - after)();
    if (E.isLeft(page)) return page;
    const first = page.right.find(({ id }) => id === idOf(0));
    if (first !== undefined) {
      const block = await store.read(stream, first.revision - 1, maxEvents)();
      if (E.isLeft(block)) return block;
      return E.traverseArray(readEvent)(block.right.filter(({ id }, index) => id === idOf(index)));
    }
    const [oldest] = page.right;
    if (oldest === undefined || oldest.position <= since) break;
  }
  return E.right([]);
};
