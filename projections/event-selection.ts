import { closest } from 'fastest-levenshtein';
import * as E from 'fp-ts/lib/Either.js';
import { categories, eventsByCategory, eventTypes, storedVersions } from '../domain/event-catalogue.js';
import { EventMetadata, streamCategory } from '../domain/kernel/recorded-event.js';
import type { LoggedEvent } from './audit/event-hash.js';
import type { Timestamp } from '../domain/kernel/timestamp.js';

/** A hint at the known word that is most similar to the given one, upper and lower case alike; empty if no word is known. */
export const didYouMean = (given: string, known: ReadonlyArray<string>): string => {
  const best = closest(
    given.toLowerCase(),
    known.map((word) => word.toLowerCase()),
  );
  const word = known.find((one) => one.toLowerCase() === best);
  return word === undefined ? '' : `. Did you mean ${word}?`;
};

/** Times from `from` (inclusive) to `to` (exclusive); null: no limit. */
export interface TimeRange {
  readonly from: Timestamp | null;
  readonly to: Timestamp | null;
}

/** A filter of log events: all conditions that are not null must hold. The range is that of the time of recording. */
export interface EventSelection extends TimeRange {
  /** The full stream name, such as `video-7`. */
  readonly stream: string | null;
  /** A stream category. */
  readonly category: string | null;
  /** Type name with or without version: `FacesMatched` or `FacesMatched.v1`. */
  readonly type: string | null;
  /** Id of a key or an account. */
  readonly actor: string | null;
  readonly request_id: string | null;
  /** `bookkeeping`: leaves out the events of idempotency keys. */
  readonly hide: 'bookkeeping' | null;
}

/** No conditions. */
export const everyEvent: EventSelection = {
  stream: null,
  category: null,
  type: null,
  actor: null,
  request_id: null,
  from: null,
  to: null,
  hide: null,
};

/** The location of a selected event. */
export interface EventPlace {
  readonly stream: string;
  readonly revision: number;
  /** Cursor to continue after this event. */
  readonly cursor: string;
}

/** The category of the streams of idempotency keys. */
export const bookkeepingCategory = 'idempotencyKey';

/** Whether streams of a category are left out. */
const isHidden = (category: string, { hide }: Pick<EventSelection, 'hide'>): boolean =>
  hide === 'bookkeeping' && category === bookkeepingCategory;

/** The name of a stored type without its version. */
export const typeName = (stored: string): string => stored.replace(/\.v\d+$/, '');

/** Whether a stored type equals the wanted one, given with or without version. */
export const isOfType = (stored: string, wanted: string): boolean => stored === wanted || typeName(stored) === wanted;

/** Whether an event meets all conditions of a selection. */
export const isSelected = (
  { stream, type, metadata }: LoggedEvent,
  { stream: name, category, type: wanted, actor, request_id, from, to, hide }: EventSelection,
): boolean => {
  if (isHidden(streamCategory(stream), { hide })) return false;
  if (name !== null && stream !== name) return false;
  if (category !== null && streamCategory(stream) !== category) return false;
  if (wanted !== null && !isOfType(type, wanted)) return false;
  if (actor === null && request_id === null && from === null && to === null) return true;
  const known = EventMetadata.decode(metadata);
  if (E.isLeft(known)) return false;
  const { actor: by, correlation_id, recorded_at } = known.right;
  return (
    (actor === null || by.key_id === actor || by.account_id === actor) &&
    (request_id === null || correlation_id === request_id) &&
    (from === null || recorded_at >= from) &&
    (to === null || recorded_at < to)
  );
};

/** A filter that no event of this service meets. */
export interface UnmatchableFilter {
  readonly field: 'stream' | 'category' | 'type' | 'hide';
  /** What is wrong, with the nearest value that exists. */
  readonly message: string;
}

const unknownCategory = (field: 'stream' | 'category', given: string): UnmatchableFilter | null =>
  categories.includes(given)
    ? null
    : { field, message: `there are no ${given} streams${didYouMean(given, categories)}` };

const unknownType = (given: string): UnmatchableFilter | null => {
  const type = typeName(given);
  const known = eventTypes.includes(type) ? [type, ...storedVersions(type)] : eventTypes;
  return known.includes(given)
    ? null
    : { field: 'type', message: `there is no event type ${given}${didYouMean(given, known)}` };
};

/** The categories of the streams that have events of a type; null: of any. */
const categoriesOf = (type: string | null): ReadonlyArray<string> =>
  type === null ? categories : categories.filter((category) => typeName(type) in (eventsByCategory[category] ?? {}));

/**
 * The first filter that no event of this service can meet: an unknown type, category or kind of stream, the name of a
 * stream without its id, a type that such streams do not have, or one that is hidden; null if there is none. Other
 * programs that write to the same EventStoreDB have their own.
 */
export const unmatchableFilter = ({ stream, category, type, hide }: EventSelection): UnmatchableFilter | null => {
  const kind = stream === null ? null : streamCategory(stream);
  const unknown =
    (type === null ? null : unknownType(type)) ??
    (category === null ? null : unknownCategory('category', category)) ??
    (kind === null ? null : unknownCategory('stream', kind));
  if (unknown !== null) return unknown;
  if (kind !== null && category !== null && kind !== category)
    return { field: 'category', message: `the stream ${stream} is not of the category ${category}, but ${kind}` };
  if (stream !== null && stream === kind)
    return { field: 'stream', message: `${stream} is a category of streams: the name of a stream is ${stream}-<id>` };
  const within = category ?? kind;
  const where = categoriesOf(type);
  if (within !== null && !where.includes(within))
    return { field: 'type', message: `${type} is in no ${within} stream, but in ${where.join(', ')} streams` };
  return (within === null ? where : [within]).every((left) => isHidden(left, { hide }))
    ? { field: 'hide', message: `${hide} is all that the other filters select` }
    : null;
};
