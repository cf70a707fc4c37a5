import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { decodeEvent } from '../../domain/event-catalogue.js';
import type { AppendUnreadable, EventStore, NewEvent } from '../../application/ports/event-store.js';

/** Longer data is not decoded before the append: its parts have already passed codecs. */
const maxDecodedCharacters = 20_000;

/** Why an event could not be read back, once it is stored; null if it could. */
const unreadableAs = ({ type, data }: NewEvent): AppendUnreadable | null => {
  const text = JSON.stringify(data);
  const decoded = text.length > maxDecodedCharacters ? null : decodeEvent(type, JSON.parse(text));
  return decoded === null || E.isRight(decoded)
    ? null
    : { _tag: 'AppendUnreadable', reason: `${decoded.left.stored}: ${decoded.left.reason}` };
};

/** Refuses events that could not be read back, because every reader would stop at such an event for good. */
export const readableEvents = (store: EventStore): EventStore => ({
  ...store,
  append: (stream, expected, events) => {
    const [fault] = events.map(unreadableAs).filter((found) => found !== null);
    return fault === undefined ? store.append(stream, expected, events) : TE.left(fault);
  },
});
