import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import type { Position } from '../../domain/kernel/recorded-event.js';
import type { InvalidCursor, ReadModelBehind, ReadModelsUnavailable } from '../../projections/queries.js';
import type { UnreadableEvent } from '../failures.js';
import type { StoreUnavailable } from './event-store.js';

/** The events of a request cannot be read now. */
export type EventsNotFound = StoreUnavailable | ReadModelBehind | ReadModelsUnavailable | InvalidCursor;

/**
 * What links an event of a request to the others. It is without the event's data, because a client may use one request id
 * for any number of changes.
 */
export interface RequestEvent {
  readonly position: Position;
  readonly stream: string;
  readonly revision: number;
  readonly event_id: string;
  /** The event or command that caused it. */
  readonly causation_id: string;
}

/** All events with a request id in some streams, up to the current head of the log. */
export type RequestEvents = (
  streams: ReadonlyArray<string>,
  request_id: string,
) => TaskEither<EventsNotFound | UnreadableEvent, ReadonlyArray<RequestEvent>>;
