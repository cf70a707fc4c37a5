import * as TE from 'fp-ts/lib/TaskEither.js';
import * as E from 'fp-ts/lib/Either.js';
import type { AppendFailure, EventStore, NewEvent } from '../../application/ports/event-store.js';
import { decodeEvent } from '../../domain/event-catalogue.js';
import { writableLength } from '../runtime/json-size.js';

/** The maximum length of one event's data, in characters of JSON. */
export const maxEventCharacters = 4_000_000;

/**
 * Longer data is not decoded before the append: decoding it would block the event loop, and its parts have already
 * passed codecs.
 */
const maxDecodedCharacters = 20_000;

const unreadable = (reason: string): AppendFailure => ({ _tag: 'AppendUnreadable', reason });

/** Why an event must not be stored; null when it may be. */
const faultOf = ({ type, data }: NewEvent): AppendFailure | null => {
  const length = writableLength(data, maxEventCharacters);
  if (length === null) return unreadable(`an event ${type} holds a number that JSON cannot write`);
  if (length > maxEventCharacters)
    return { _tag: 'AppendTooLarge', reason: `an event ${type} has more than ${maxEventCharacters} characters` };
  if (length > maxDecodedCharacters) return null;
  const decoded = decodeEvent(type, data);
  return E.isLeft(decoded) ? unreadable(`${decoded.left.stored}: ${decoded.left.reason}`) : null;
};

/**
 * Refuses events that are too long, because each event is written, hashed, read and decoded in one step that blocks the
 * event loop. Also refuses events that could not be read back, because every reader would stop at such an event for
 * good.
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
