import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import type {
  AppendFailure,
  Appended,
  EventStore,
  ExpectedRevision,
  NewEvent,
} from '../../application/ports/event-store.js';

/** An event as the hash chain hands it to an engine. */
export interface ChainedEvent extends NewEvent {
  /** The JSON texts to write for data and metadata, where these are known already: only for an engine that takes them. */
  readonly texts?: { readonly data: string; readonly metadata: string };
}

/** An engine of the log, which may hold an append back that does not follow the event that it was made to follow. */
export interface ChainedStore extends Omit<EventStore, 'append'> {
  /**
   * As the port says. `follows` is the hash in the metadata of the event that has to be at the expected revision; an
   * engine that can, refuses the append when another is there.
   */
  readonly append: (
    stream: string,
    expected: ExpectedRevision,
    events: ReadonlyArray<ChainedEvent>,
    follows?: string,
  ) => TaskEither<AppendFailure, Appended>;
}
