import { randomUUID } from 'node:crypto';
import type { EventStore } from '../../application/ports/event-store.js';
import { charged } from './credit-events.js';
import { newEvent } from './event-store/events.js';
import { succeeded } from './event-store/outcomes.js';
import { at } from './values.js';

const metadata = {
  actor: { key_id: 'key', account_id: 'owner' },
  correlation_id: 'request',
  causation_id: 'command',
  schema_version: 1,
  recorded_at: at(0),
};

/** Appends `count` charges to an account's stream, whose last event has the revision `last`. */
export const appendCharges = async (store: EventStore, stream: string, last: number, count: number): Promise<void> => {
  for (let from = 0; from < count; from += 500) {
    const some = Array.from({ length: Math.min(500, count - from) }, (_, index) => {
      const { type, data } = charged(`other-${last}-${from + index}`, '0.5', '1', from + index);
      return newEvent({ id: randomUUID(), type: `${type}.v1`, data, metadata });
    });
    const before = last + from;
    await succeeded(store.append(stream, before < 0 ? 'no_stream' : before, some));
  }
};

/** A store that counts the events that are read from streams. */
export const countingReads = (store: EventStore): { readonly store: EventStore; readonly events: () => number } => {
  let events = 0;
  const read: EventStore['read'] =
    (...args) =>
    async () => {
      const page = await store.read(...args)();
      if (page._tag === 'Right') events += page.right.length;
      return page;
    };
  return { store: { ...store, read }, events: () => events };
};
