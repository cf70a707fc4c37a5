import * as E from 'fp-ts/lib/Either.js';
import { EventMetadata } from '../../domain/kernel/recorded-event.js';
import { type EventSelection, isOfType } from '../event-selection.js';
import type { LoggedEvent } from './event-hash.js';
import { streamCategory } from '../../domain/kernel/stream-name.js';

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
