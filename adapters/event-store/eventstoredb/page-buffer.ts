import type { EventFilter, Page, StoredEvent } from '../../../application/ports/event-store.js';
import type { Position } from '../../../domain/kernel/recorded-event.js';
import { passes } from './filter.js';
import { toPosition } from './position.js';
import type { ReceivedEvent } from './read-response.js';
import { toStoredEvent } from './stored-event.js';

const maxEvents = 1_000;
const maxBytes = 4_000_000;

/** Buffers what the server sent until it is handled. */
export interface PageBuffer {
  readonly add: (event: ReceivedEvent) => void;
  /** Whether the server should pause. */
  readonly isFull: () => boolean;
  /** Everything buffered; null if there is nothing. */
  readonly take: () => Page | null;
  /** The position of the last event added, whether or not it passed the filter. */
  readonly reached: () => Position | null;
}

/** Collects the events after a position that pass the filter. */
export const pageBuffer = (after: Position | null, filter: EventFilter): PageBuffer => {
  const wanted = passes(filter);
  let events: StoredEvent[] = [];
  let bytes = 0;
  let count = 0;
  let taken = after;
  let reached = after;
  return {
    add: (received) => {
      const position = toPosition(received.commit);
      if (reached !== null && position <= reached) return;
      reached = position;
      count += 1;
      if (!wanted(received)) return;
      bytes += received.size;
      events.push(toStoredEvent(received));
    },
    isFull: () => count >= maxEvents || bytes >= maxBytes,
    take: () => {
      if (reached === taken) return null;
      const page = { events, examined: reached };
      events = [];
      bytes = 0;
      count = 0;
      taken = reached;
      return page;
    },
    reached: () => reached,
  };
};
