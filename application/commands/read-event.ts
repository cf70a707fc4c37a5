import type { JsonObject } from '../../domain/kernel/json.js';
import * as E from 'fp-ts/lib/Either.js';
import { type DomainEvent, decodeEvent } from '../../domain/event-catalogue.js';
import { type RecordedEvent, EventMetadata } from '../../domain/kernel/recorded-event.js';
import { type UnreadableEvent, unreadable } from '../failures.js';
import type { StoredEvent } from '../ports/event-store.js';

/** An event of any kind of stream. */
export type AnyEvent = { readonly type: string; readonly data: JsonObject };

type Decoded = ReturnType<typeof decodeEvent>;

/** Decoded events by their stored data: several readers of the log get the same objects, one after the other. */
const decoded = new WeakMap<object, { readonly type: string; readonly event: Decoded }>();

/** Decodes an event; the same data object is decoded only once. */
export const decodedOnce = ({ type, data }: Pick<StoredEvent, 'type' | 'data'>): Decoded => {
  if (typeof data !== 'object' || data === null) return decodeEvent(type, data);
  const known = decoded.get(data);
  if (known?.type === type) return known.event;
  const event = decodeEvent(type, data);
  decoded.set(data, { type, event });
  return event;
};

/** Decodes the metadata of a stored event. */
export const readMetadata = (stored: StoredEvent): E.Either<UnreadableEvent, EventMetadata> =>
  E.mapLeft(() => unreadable(stored, `${stored.type}: the metadata does not fit`))(
    EventMetadata.decode(stored.metadata),
  );

/** Decodes a stored event. Fails, with the event's place, where no codec accepts it; such events are never skipped. */
export const readEvent = (stored: StoredEvent): E.Either<UnreadableEvent, RecordedEvent<DomainEvent>> => {
  const { position, stream, revision, withheld } = stored;
  const event: Decoded =
    withheld === undefined
      ? decodedOnce(stored)
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
