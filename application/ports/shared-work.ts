import type { EventFilter, StoredEvent } from './event-store.js';

export interface WorkHandlers {
  /**
   * Called with an event that this instance is to work on. Once its promise has resolved the event is done for all
   * instances. A rejection ends the taking part as `onFailure`; the event then goes to another instance.
   */
  readonly onEvent: (event: StoredEvent) => Promise<void>;
  /** Called once, when the taking part ends by itself. */
  readonly onFailure: (failure: unknown) => void;
}

export interface TakingPart {
  /** Resolves once no handler is running or will run; what was not done goes to another instance. */
  readonly close: () => Promise<void>;
}

/**
 * Work on the events of a log that several instances share: each event that passes the filter is given to one of
 * them, and to another when that one is gone or does not finish. At least once, and not always in order.
 */
export interface SharedWork {
  /** Takes part in the work of a name, with at most so many events at the same time. */
  readonly takePart: (name: string, filter: EventFilter, concurrency: number, handlers: WorkHandlers) => TakingPart;
}
