import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { decodeEvent } from '../../domain/event-catalogue.js';
import type { AppendFailure, EventStore, NewEvent } from '../../application/ports/event-store.js';
import { writableLength } from '../runtime/json-size.js';

/** The maximum length of the data of one event, in characters of JSON. */
export const maxEventCharacters = 4_000_000;

/** The codecs do not check longer data: its parts have already passed them. */
const maxCheckedCharacters = 20_000;

const unreadable = (reason: string): AppendFailure => ({ _tag: 'AppendUnreadable', reason });

/** Why an event must not be stored; null if it may be. */
const faultOf = ({ type, data }: NewEvent): AppendFailure | null => {
  const length = writableLength(data, maxCheckedCharacters);
  if (length === null) return unreadable(`an event ${type} holds a number that JSON cannot write`);
  if (length > maxCheckedCharacters)
    return JSON.stringify(data).length > maxEventCharacters
      ? { _tag: 'AppendTooLarge', reason: `an event ${type} has more than ${maxEventCharacters} characters` }
      : null;
  const decoded = decodeEvent(type, data);
  return E.isRight(decoded) ? null : unreadable(`${decoded.left.stored}: ${decoded.left.reason}`);
};

/**
 * Refuses events that are too long, because each is written, hashed, read and decoded in one step, and events that could
 * not be read back, because every reader would stop at such an event for good.
 */
export const readableEvents = (store: EventStore): EventStore => ({
  ...store,
  append: (stream, expected, events) => {
    for (const event of events) {
      const fault = faultOf(event);
      if (fault !== null) return TE.left(fault);
    }
    return store.append(stream, expected, events);
  },
});
