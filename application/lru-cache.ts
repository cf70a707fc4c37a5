import { constVoid } from 'fp-ts/lib/function.js';

/** A cache that evicts the least recently used values. */
export interface LruCache<Value> {
  readonly get: (key: string) => Value | undefined;
  /** Reads a value without marking it as used. */
  readonly peek: (key: string) => Value | undefined;
  readonly set: (key: string, value: Value) => void;
  readonly delete: (key: string) => void;
  readonly clear: () => void;
  /** All entries, least recently used first. */
  readonly entries: () => ReadonlyArray<readonly [string, Value]>;
}

/**
 * Keeps values up to a total weight; each weighs 1 unless `weightOf` is given. The newest value is kept whatever it
 * weighs. `onEvicted` is called for each evicted value.
 */
export const lruCache = <Value>(
  maxWeight: number,
  weightOf: (value: Value) => number = () => 1,
  onEvicted: (key: string, value: Value) => void = constVoid,
): LruCache<Value> => {
  const values = new Map<string, Value>();
  let totalWeight = 0;
  const remove = (key: string): void => {
    const value = values.get(key);
    if (value !== undefined && values.delete(key)) totalWeight -= weightOf(value);
  };
  return {
    get: (key) => {
      const value = values.get(key);
      if (value === undefined) return undefined;
      values.delete(key);
      values.set(key, value);
      return value;
    },
    peek: (key) => values.get(key),
    set: (key, value) => {
      remove(key);
      values.set(key, value);
      totalWeight += weightOf(value);
      if (totalWeight <= maxWeight) return;
      for (const [oldest, evicted] of values) {
        if (totalWeight <= maxWeight || oldest === key) return;
        remove(oldest);
        onEvicted(oldest, evicted);
      }
    },
    delete: remove,
    clear: () => {
      values.clear();
      totalWeight = 0;
    },
    entries: () => [...values],
  };
};
