import * as T from 'fp-ts/lib/Task.js';
import { LRUCache } from 'lru-cache';
import { keyedQueue } from '../keyed-queue.js';

/** The events whose reactions requests of this instance have run recently, or are running. */
export interface CompletedReactions {
  /** Whether all follow-ups of an event were carried out, so that running them again would change nothing. */
  readonly has: (event_id: string) => boolean;
  readonly add: (event_id: string) => void;
  /** Runs a task of a request while marking its causation id as in progress. */
  readonly track: <Done>(causation_id: string, task: T.Task<Done>) => T.Task<Done>;
  /** Resolves when no request is running a task with this causation id. */
  readonly idle: (causation_id: string) => T.Task<unknown>;
}

/** The number of events that are remembered. */
const maxEvents = 10_000;

export const createCompletedReactions = (): CompletedReactions => {
  const ids = new LRUCache<string, true>({ max: maxEvents });
  const inProgress = keyedQueue();
  return {
    has: (id) => ids.peek(id) === true,
    add: (id) => ids.set(id, true),
    track: inProgress.run,
    idle: (causation_id) => inProgress.run(causation_id, T.of(undefined)),
  };
};
