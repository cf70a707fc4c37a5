import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import type {
  AppendFailure,
  Appended,
  EventStore,
  ExpectedRevision,
  NewEvent,
} from '../../application/ports/event-store.js';

/** An event as the hash chain passes it to an engine. */
export interface ChainedEvent extends NewEvent {
  /** The JSON texts of data and metadata, if already known. Only set for engines that accept them. */
  readonly texts?: { readonly data: string; readonly metadata: string };
}

/** An engine of the log that can check the hash of the preceding event as part of an append. */
export interface ChainedStore extends Omit<EventStore, 'append'> {
  /**
   * As in the port. `follows` is the hash in the metadata of the event at the expected revision. An engine that
   * supports it refuses the append when the event there has another hash.
   */
  readonly append: (
    stream: string,
    expected: ExpectedRevision,
    events: ReadonlyArray<ChainedEvent>,
    follows?: string,
  ) => TaskEither<AppendFailure, Appended>;
}
