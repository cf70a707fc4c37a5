/** A map that drops the keys that were set longest ago. */
export interface RecentMap<Value> {
  readonly get: (key: string) => Value | undefined;
  readonly set: (key: string, value: Value) => void;
  readonly delete: (key: string) => void;
}

/**
 * Keeps at least the `size` keys that were set most recently, and at most twice as many. It uses two generations
 * instead of an exact order, which makes `set` cheaper than in an LRU cache; it is called for every event.
 */
export const recentMap = <Value>(size: number): RecentMap<Value> => {
  let newer = new Map<string, Value>();
  let older = new Map<string, Value>();
  return {
    get: (key) => newer.get(key) ?? older.get(key),
    set: (key, value) => {
      if (newer.size >= size && !newer.has(key)) {
        older = newer;
        newer = new Map();
      }
      newer.set(key, value);
    },
    delete: (key) => {
      newer.delete(key);
      older.delete(key);
    },
  };
};
