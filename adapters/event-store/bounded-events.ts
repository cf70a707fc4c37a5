import * as TE from 'fp-ts/lib/TaskEither.js';
import * as E from 'fp-ts/lib/Either.js';
import type { AppendFailure, EventStore, NewEvent } from '../../application/ports/event-store.js';
import { decodedOnce } from '../../application/commands/read-event.js';
import { writableLength } from '../../domain/kernel/size.js';

/** The longest data of one event, in characters of JSON. */
export const longestEvent = 4_000_000;

/** What is longer is not decoded beforehand: that would hold others up, and its parts came through codecs one by one. */
const longestDecoded = 20_000;

const unreadable = (reason: string): AppendFailure => ({ _tag: 'AppendUnreadable', reason });

/** Why an event is not to be stored; null when nothing speaks against it. */
const faultOf = ({ type, data }: NewEvent): AppendFailure | null => {
  const length = writableLength(data, longestEvent);
  if (length === null) return unreadable(`an event ${type} holds a number that JSON cannot write`);
  if (length > longestEvent)
    return { _tag: 'AppendTooLarge', reason: `an event ${type} has more than ${longestEvent} characters` };
  if (length > longestDecoded) return null;
  const decoded = decodedOnce({ type, data });
  return E.isLeft(decoded) ? unreadable(`${decoded.left.stored}: ${decoded.left.reason}`) : null;
};

/**
 * Refuses an event that is longer than any needs to be: each is written, hashed, read and decoded in one go, which holds
 * everybody else up for as long as it takes. Refuses one that could not be read back, too: all readers would stop at it
 * for good. Nothing is decoded twice by that: who reads soon what is in clear here is given what was decoded.
 */
export const boundedEvents = (store: EventStore): EventStore => ({
  ...store,
  append: (stream, expected, events) => {
    for (const event of events) {
      const fault = faultOf(event);
      if (fault !== null) return TE.left(fault);
    }
    return store.append(stream, expected, events);
  },
});
