import * as TE from 'fp-ts/lib/TaskEither.js';
import type { EventStore } from '../../application/ports/event-store.js';
import { jsonLength } from '../../domain/kernel/json-length.js';

/** The longest data of one event, in characters of JSON. */
export const longestEvent = 4_000_000;

/**
 * Refuses an event that is longer than any needs to be: each is written, hashed, read and decoded in one go, which holds
 * everybody else up for as long as it takes.
 */
export const boundedEvents = (store: EventStore): EventStore => ({
  ...store,
  append: (stream, expected, events) => {
    const large = events.find(({ data }) => jsonLength(data, longestEvent) > longestEvent);
    return large === undefined
      ? store.append(stream, expected, events)
      : TE.left({ _tag: 'AppendTooLarge', reason: `an event ${large.type} has more than ${longestEvent} characters` });
  },
});
