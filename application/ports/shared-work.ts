import type { EventFilter, StoredEvent } from './event-store.js';

export interface WorkHandlers {
  /**
   * Called with an event for this instance. When its promise resolves, the event is done for all instances. A rejection
   * ends the subscription with `onFailure`, and the event goes to another instance.
   */
  readonly onEvent: (event: StoredEvent) => Promise<void>;
  /** Called once, if the subscription ends by itself. */
  readonly onFailure: (failure: unknown) => void;
}

export interface TakingPart {
  /** Resolves when no handler is running or will run; unfinished events go to another instance. */
  readonly close: () => Promise<void>;
}

/**
 * Shares the events of a log between instances: each event that passes the filter goes to one of them, and to another if
 * that one does not finish it. At least once, not always in order.
 */
export interface SharedWork {
  /** Subscribes this instance to the named work, with at most `concurrency` events at once. */
  readonly takePart: (name: string, filter: EventFilter, concurrency: number, handlers: WorkHandlers) => TakingPart;
}
