import { lruCache } from '../../../application/lru-cache.js';
import type { NewEvent, StoredEvent } from '../../../application/ports/event-store.js';
import type { Json } from '../../../domain/kernel/json.js';

/** Events as they are in clear: what is appended here is read soon after, by several readers; what many read at once, too. */
export interface RecentEvents {
  /** The clear data of an event that was sealed like this; undefined when it is not remembered. */
  readonly find: (event: StoredEvent, sealed: string) => Json | undefined;
  readonly keep: (event: Pick<NewEvent, 'id' | 'type'>, stream: string, sealed: string, clear: Json) => void;
}

/** So many characters of what is remembered, as they are sealed. */
const recentCharacters = 2_000_000;

interface RecentEvent extends Pick<StoredEvent, 'stream' | 'type'> {
  readonly sealed: string;
  readonly clear: Json;
}

export const recentEvents = (): RecentEvents => {
  const recent = lruCache<RecentEvent>(recentCharacters, ({ sealed }) => sealed.length);
  return {
    find: ({ id, stream, type }, sealed) => {
      const known = recent.peek(id);
      return known?.sealed === sealed && known.stream === stream && known.type === type ? known.clear : undefined;
    },
    keep: ({ id, type }, stream, sealed, clear) => recent.set(id, { stream, type, sealed, clear }),
  };
};
