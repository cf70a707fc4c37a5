import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import type { InvalidCursor, ReadModelBehind, ReadModelsUnavailable } from '../../projections/queries.js';
import type { StoreUnavailable, StoredEvent } from './event-store.js';

/** The events of a request cannot be found now. */
export type EventsNotFound = StoreUnavailable | ReadModelBehind | ReadModelsUnavailable | InvalidCursor;

/** All events of some streams that one request caused, as far as the log goes when it is asked; perhaps also others. */
export type RequestEvents = (
  streams: ReadonlyArray<string>,
  request_id: string,
) => TaskEither<EventsNotFound, ReadonlyArray<StoredEvent>>;
