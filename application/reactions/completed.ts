import * as T from 'fp-ts/lib/Task.js';
import { keyedQueue } from '../keyed-queue.js';
import { lruCache } from '../lru-cache.js';

/** What this instance knows of follow-ups that it carries out for requests, and of late has. */
export interface CompletedReactions {
  /** Whether all follow-ups of an event were: to look at them again would change nothing. */
  readonly has: (event_id: string) => boolean;
  readonly add: (event_id: string) => void;
  /** Remembers, while it runs, that what has this cause is being carried out for a request. */
  readonly during: <Done>(causation_id: string, carryOut: T.Task<Done>) => T.Task<Done>;
  /** Resolves once no request is carrying out anything that has this cause. */
  readonly idle: (causation_id: string) => T.Task<unknown>;
}

/** So many events are remembered at most. */
const most = 10_000;

export const createCompletedReactions = (): CompletedReactions => {
  const ids = lruCache<true>(most);
  const onTheWay = keyedQueue();
  return {
    has: (id) => ids.peek(id) === true,
    add: (id) => ids.set(id, true),
    during: onTheWay.run,
    idle: (causation_id) => onTheWay.run(causation_id, T.of(undefined)),
  };
};
