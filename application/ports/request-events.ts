import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import type { InvalidCursor, ReadModelBehind, ReadModelsUnavailable } from '../../projections/queries.js';
import type { StoreUnavailable, StoredEvent } from './event-store.js';

/** The events of a request cannot be read now. */
export type EventsNotFound = StoreUnavailable | ReadModelBehind | ReadModelsUnavailable | InvalidCursor;

/** All events with a request id in some streams, up to the current head of the log; the result may include others. */
export type RequestEvents = (
  streams: ReadonlyArray<string>,
  request_id: string,
) => TaskEither<EventsNotFound, ReadonlyArray<StoredEvent>>;
