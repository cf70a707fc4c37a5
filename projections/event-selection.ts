import type { Timestamp } from '../domain/kernel/timestamp.js';
import * as E from 'fp-ts/lib/Either.js';
import { EventMetadata } from '../domain/kernel/recorded-event.js';
import type { LoggedEvent } from './audit/event-hash.js';
import { streamCategory } from '../domain/kernel/stream-name.js';

/** Which events of the log are wanted: those to which all that is not null applies. */
export interface EventSelection {
  /** The whole name, as in `video-7`. */
  readonly stream: string | null;
  /** A stream's name up to its first hyphen. */
  readonly category: string | null;
  /** Name with or without version: `FacesMatched` or `FacesMatched.v1`. */
  readonly type: string | null;
  /** The id of a key, or that of an account. */
  readonly actor: string | null;
  readonly request_id: string | null;
  /** Recorded at this time or later. */
  readonly from: Timestamp | null;
  /** Recorded before this time. */
  readonly to: Timestamp | null;
}

/** All of them. */
export const everyEvent: EventSelection = {
  stream: null,
  category: null,
  type: null,
  actor: null,
  request_id: null,
  from: null,
  to: null,
};

/** Where an event of a selection is. */
export interface EventPlace {
  readonly stream: string;
  readonly revision: number;
  /** The cursor with which the selection goes on after this event. */
  readonly cursor: string;
}

/** The name of a stored type without its version. */
export const typeName = (stored: string): string => stored.replace(/\.v\d+$/, '');

/** Whether a stored type is the one that was asked for, with or without its version. */
export const isOfType = (stored: string, wanted: string): boolean => stored === wanted || typeName(stored) === wanted;

/** Whether an event is one of a selection. */
export const isSelected = (
  { stream, type, metadata }: LoggedEvent,
  { stream: name, category, type: wanted, actor, request_id, from, to }: EventSelection,
): boolean => {
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
