import { constVoid } from 'fp-ts/lib/function.js';

/** Values by key, as many as there is room for: those that were used last. */
export interface LruCache<Value> {
  readonly get: (key: string) => Value | undefined;
  /** Looks without using. */
  readonly peek: (key: string) => Value | undefined;
  readonly set: (key: string, value: Value) => void;
  readonly delete: (key: string) => void;
  readonly clear: () => void;
  /** All of them, the one that was used longest ago first. */
  readonly entries: () => ReadonlyArray<readonly [string, Value]>;
}

/**
 * Keeps values that weigh so much together, 1 each unless told; the newest is kept however heavy. `onEvicted` is told of
 * what had to make room.
 */
export const lruCache = <Value>(
  room: number,
  weightOf: (value: Value) => number = () => 1,
  onEvicted: (key: string, value: Value) => void = constVoid,
): LruCache<Value> => {
  const values = new Map<string, Value>();
  let taken = 0;
  const remove = (key: string): void => {
    const value = values.get(key);
    if (value !== undefined && values.delete(key)) taken -= weightOf(value);
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
      taken += weightOf(value);
      if (taken <= room) return;
      for (const [oldest, evicted] of values) {
        if (taken <= room || oldest === key) return;
        remove(oldest);
        onEvicted(oldest, evicted);
      }
    },
    delete: remove,
    clear: () => {
      values.clear();
      taken = 0;
    },
    entries: () => [...values],
  };
};
