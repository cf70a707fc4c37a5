import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { AppendFailure, EventStore, ExpectedRevision, NewEvent } from '../../application/ports/event-store.js';
import { decodeEvent } from '../../domain/event-catalogue.js';
import { hashOfTexts, withoutHash } from '../../projections/audit/event-hash.js';

/** The maximum length of the data of one event, in characters of JSON. */
export const maxEventCharacters = 4_000_000;

/** The codecs do not check longer data: its parts have already passed them. */
const maxCheckedCharacters = 20_000;

const unreadable = (reason: string): AppendFailure => ({ _tag: 'AppendUnreadable', reason });

/** Whether a value has no number that JSON cannot write. */
const isWritable = (value: unknown): boolean =>
  typeof value === 'number'
    ? Number.isFinite(value)
    : typeof value !== 'object' || value === null || Object.values(value).every(isWritable);

/** Why an event must not be stored; null if it may be. */
const faultOf = ({ type, data }: NewEvent): AppendFailure | null => {
  const { length } = JSON.stringify(data);
  if (length > maxEventCharacters)
    return { _tag: 'AppendTooLarge', reason: `an event ${type} has more than ${maxEventCharacters} characters` };
  if (length > maxCheckedCharacters) return null;
  if (!isWritable(data)) return unreadable(`an event ${type} holds a number that JSON cannot write`);
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

/** An event as an engine stores it. `hash` is the last field of its metadata. */
export interface HashedEvent extends NewEvent {
  readonly hash: string;
  /** The same as texts. */
  readonly dataText: string;
  readonly metadataText: string;
}

/** An append to one stream. */
export interface Append {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: ReadonlyArray<NewEvent>;
}

/** The revision of an append's first event. */
export const firstRevision = (expected: ExpectedRevision): number => (expected === 'no_stream' ? 0 : expected + 1);

/** The text of a JSON object with one more field at its end, whose value is JSON too. */
export const withField = (object: string, name: string, value: string): string =>
  `${object === '{}' ? '{' : `${object.slice(0, -1)},`}"${name}":${value}}`;

/**
 * The events of an append with their hashes. Each hash is of the event's content and of the preceding hash in its
 * stream; `previous` is that of the event at the expected revision, null if there is none. A hash that an event already
 * has (as a copy from another log) is replaced. What the hash is of stands at `eventHash`, which checks it.
 */
export const hashedEvents = (
  { stream, expected, events }: Append,
  previous: string | null,
): ReadonlyArray<HashedEvent> => {
  let last = previous;
  return events.map(({ id, type, data, metadata: given }, index) => {
    const metadata = withoutHash(given);
    const texts = { data: JSON.stringify(data), metadata: JSON.stringify(metadata) };
    const hash = hashOfTexts({ stream, revision: firstRevision(expected) + index, id, type }, texts, last);
    last = hash;
    return {
      id,
      type,
      hash,
      data,
      metadata: { ...metadata, hash },
      dataText: texts.data,
      metadataText: withField(texts.metadata, 'hash', `"${hash}"`),
    };
  });
};
