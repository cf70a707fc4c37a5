import * as E from 'fp-ts/lib/Either.js';
import { type DomainEvent, decodeEvent } from '../domain/event-catalogue.js';
import { EventMetadata, type RecordedEvent } from '../domain/kernel/recorded-event.js';
import { type UnreadableEvent, unreadable } from './failures.js';
import type { StoredEvent } from './ports/event-store.js';

/** Decodes what a store gave back. An event that no codec reads is a failure with its place, never skipped. */
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
  const metadata = EventMetadata.decode(stored.metadata);
  if (E.isLeft(metadata)) return E.left(unreadable(stored, `${stored.type}: the metadata does not fit`));
  return E.right({
    position,
    stream,
    revision,
    event_id: stored.id,
    event: event.right,
    metadata: metadata.right,
  });
};
