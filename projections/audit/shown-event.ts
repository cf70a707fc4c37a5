import * as E from 'fp-ts/lib/Either.js';
import { type DomainEvent, versionOf } from '../../domain/event-catalogue.js';
import { EventMetadata, type Position, type RecordedEvent } from '../../domain/kernel/recorded-event.js';
import { typeName } from '../event-selection.js';
import type { LoggedEvent } from './event-hash.js';

/** A position as commands print it and take it: without the zeros at its beginning. */
export const shownPosition = (position: Position): string => position.replace(/^0*(?=.)/, '#');

/** Metadata as shown in a history; null for missing facts. */
export const shownMetadata = (stored: unknown) => {
  const metadata = EventMetadata.decode(stored);
  if (E.isLeft(metadata)) return { at: null, actor: null, request_id: null, causation_id: null };
  const { recorded_at: at, actor, correlation_id: request_id, causation_id } = metadata.right;
  return { at, actor, request_id, causation_id };
};

/** Flags of an event whose data cannot be read; empty for others. */
export const withheldAs = (why: LoggedEvent['withheld']): { erased?: true; key_missing?: true } => {
  if (why === undefined) return {};
  return why === 'erased' ? { erased: true } : { key_missing: true };
};

/** An event as shown by the audit: as stored, whether or not a current codec can read it. */
export const shownEvent = ({ position, stream, revision, id, type, data, metadata, withheld }: LoggedEvent) => ({
  position,
  stream,
  revision,
  event_id: id,
  type: typeName(type),
  version: Number(/\.v(\d+)$/.exec(type)?.[1] ?? 1),
  ...shownMetadata(metadata),
  data: withheld === undefined ? data : null,
  ...withheldAs(withheld),
});
export type ShownEvent = ReturnType<typeof shownEvent>;

/** An event as shown by the history of its record. */
export const shownHistoryEvent = ({ position, revision, event_id, event, metadata }: RecordedEvent<DomainEvent>) => {
  const withheld = event.type === 'Withheld' ? event.data : null;
  const type = withheld === null ? event.type : typeName(withheld.stored);
  return {
    position,
    revision,
    event_id,
    type,
    version: versionOf(type),
    ...shownMetadata(metadata),
    data: withheld === null ? event.data : null,
    ...withheldAs(withheld?.why),
  };
};
