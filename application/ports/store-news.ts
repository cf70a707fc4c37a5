import { constVoid } from 'fp-ts/lib/function.js';
import type { Task } from 'fp-ts/lib/Task.js';
import * as T from 'fp-ts/lib/Task.js';
import type { Position } from '../../domain/kernel/recorded-event.js';
import type { StoredEvent } from './event-store.js';

/** What this instance hears of the log as it grows, whoever writes to it. */
export interface StoreNews {
  /** The listener is called for each event, in order, before anything else that follows the log. */
  readonly onEvent: (listener: (event: StoredEvent) => void) => void;
  /** Whether all that is older than about a second was heard, as far as can be told. */
  readonly isLive: () => boolean;
  /** Resolves with true once all events up to a position were heard, with false when that takes too long. */
  readonly heard: (position: Position) => Task<boolean>;
}

/** For a store that nobody listens to: nothing that is remembered of it can be relied on. */
export const noNews: StoreNews = { onEvent: constVoid, isLive: () => false, heard: () => T.of(false) };
