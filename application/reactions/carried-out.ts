import { lruCache } from '../lru-cache.js';

/** Events whose follow-ups this instance has carried out of late: to look at them again would change nothing. */
export interface CarriedOut {
  readonly has: (event_id: string) => boolean;
  readonly add: (event_id: string) => void;
}

/** So many events are remembered at most. */
const most = 10_000;

export const rememberCarriedOut = (): CarriedOut => {
  const ids = lruCache<true>(most);
  return { has: (id) => ids.peek(id) === true, add: (id) => ids.set(id, true) };
};
