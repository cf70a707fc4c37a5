import * as E from 'fp-ts/lib/Either.js';
import type { EventFilter, EventStore, StoreUnavailable, StoredEvent } from '../../../application/ports/event-store.js';
import { storedVersions } from '../../../domain/event-catalogue.js';
import type { Position } from '../../../domain/kernel/recorded-event.js';
import { Timestamp } from '../../../domain/kernel/timestamp.js';

/** What the log says was erased. */
export interface Erasures {
  /** When the medium or session of this stream was erased; null when it was not. */
  readonly at: (stream: string) => Promise<E.Either<StoreUnavailable, Timestamp | null>>;
  /** Takes note of an event that was heard of. */
  readonly hear: (event: StoredEvent) => void;
}

/** The events by which a medium is erased; each is in the stream of that medium. */
export const erasing: EventFilter = { types: storedVersions('MediumErased') };

const types = new Set(erasing.types);
const pageSize = 500;

export const timeOf = ({ data }: Pick<StoredEvent, 'data'>): Timestamp | null => {
  const at: unknown = typeof data === 'object' && data !== null && 'at' in data ? data['at'] : null;
  return Timestamp.is(at) ? at : null;
};

export const isErasure = ({ type }: Pick<StoredEvent, 'type'>): boolean => types.has(type);

/** Knows the erasures that it was asked for; what it does not know it looks for in the log. */
export const erasuresOf = (store: Pick<EventStore, 'readAll'>): Erasures => {
  const known = new Map<string, Timestamp>();
  let after: Position | null = null;
  const hear = (event: StoredEvent): void => {
    const at = isErasure(event) ? timeOf(event) : null;
    if (at !== null) known.set(event.stream, at);
  };
  const look = async (): Promise<E.Either<StoreUnavailable, void>> => {
    for (;;) {
      const page = await store.readAll(after, erasing, pageSize)();
      if (E.isLeft(page)) return page;
      page.right.events.forEach(hear);
      if (page.right.examined === null) return E.right(undefined);
      after = page.right.examined;
    }
  };
  return {
    hear,
    at: async (stream) => {
      const heard = known.get(stream);
      if (heard !== undefined) return E.right(heard);
      const looked = await look();
      return E.isLeft(looked) ? looked : E.right(known.get(stream) ?? null);
    },
  };
};
