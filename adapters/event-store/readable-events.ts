import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { decodeEvent } from '../../domain/event-catalogue.js';
import type { EventStore, NewEvent } from '../../application/ports/event-store.js';
import type { Json } from '../../domain/kernel/json.js';

/** Longer data is not checked: its parts have already passed codecs. */
const maxCheckedCharacters = 20_000;

const isWritable = (value: Json): boolean => {
  if (typeof value === 'number') return Number.isFinite(value);
  return typeof value !== 'object' || value === null || Object.values(value).every(isWritable);
};

/** Why an event could not be read back as it is; null if it could. */
const faultOf = ({ type, data }: NewEvent): string | null => {
  if (JSON.stringify(data).length > maxCheckedCharacters) return null;
  if (!isWritable(data)) return `an event ${type} holds a number that JSON cannot write`;
  const decoded = decodeEvent(type, data);
  return E.isRight(decoded) ? null : `${decoded.left.stored}: ${decoded.left.reason}`;
};

/** Refuses events that could not be read back, because every reader would stop at such an event for good. */
export const readableEvents = (store: EventStore): EventStore => ({
  ...store,
  append: (stream, expected, events) => {
    for (const event of events) {
      const reason = faultOf(event);
      if (reason !== null) return TE.left({ _tag: 'AppendUnreadable', reason });
    }
    return store.append(stream, expected, events);
  },
});
