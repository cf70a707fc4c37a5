import { constVoid } from 'fp-ts/lib/function.js';
import type { Task } from 'fp-ts/lib/Task.js';
import * as T from 'fp-ts/lib/Task.js';
import type { Position } from '../../domain/kernel/recorded-event.js';
import type { StoredEvent } from './event-store.js';

/** The events that this instance receives as the log grows, whoever writes them. */
export interface LiveFeed {
  /** The listener is called for each event, in order, before anything else that follows the log. */
  readonly onEvent: (listener: (event: StoredEvent) => void) => void;
  /** Whether all events older than about a second have been received, as far as is known. */
  readonly isLive: () => boolean;
  /** Resolves with true once all events up to a position have been received; with false if that takes too long. */
  readonly received: (position: Position) => Task<boolean>;
}

/** For a store without subscriptions: nothing in a cache can be relied on. */
export const noLiveFeed: LiveFeed = { onEvent: constVoid, isLive: () => false, received: () => T.of(false) };
