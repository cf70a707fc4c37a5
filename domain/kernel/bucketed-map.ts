/**
 * An immutable map with structural sharing: entries lie in 64 buckets, and an update copies only the buckets it
 * changes. With 10,000 entries an update of one entry copies about 150.
 */
export type BucketedMap<Key extends string, Value> = ReadonlyMap<number, ReadonlyMap<Key, Value>>;

const buckets = 64;

const bucketOf = (key: string): number => {
  let hash = 0;
  for (let index = 0; index < key.length; index += 1) hash = (Math.imul(hash, 31) + key.charCodeAt(index)) | 0;
  return (hash ^ (hash >>> 16)) & (buckets - 1);
};

export const emptyBuckets: BucketedMap<never, never> = new Map();

export const valueIn = <Key extends string, Value>(map: BucketedMap<Key, Value>, key: Key): Value | undefined =>
  map.get(bucketOf(key))?.get(key);

/** Returns the map with these entries set. Entries with the value null are removed. */
export const withEntries = <Key extends string, Value>(
  map: BucketedMap<Key, Value>,
  entries: ReadonlyArray<readonly [Key, Value | null]>,
): BucketedMap<Key, Value> => {
  const next = new Map(map);
  const own = new Map<number, Map<Key, Value>>();
  for (const [key, value] of entries) {
    const at = bucketOf(key);
    const bucket = own.get(at) ?? new Map(map.get(at));
    if (value === null) bucket.delete(key);
    else bucket.set(key, value);
    own.set(at, bucket);
  }
  for (const [at, bucket] of own)
    if (bucket.size === 0) next.delete(at);
    else next.set(at, bucket);
  return next;
};

export const valuesOf = <Key extends string, Value>(map: BucketedMap<Key, Value>): ReadonlyArray<Value> =>
  [...map.values()].flatMap((bucket) => [...bucket.values()]);

export const sizeOfBuckets = <Key extends string, Value>(map: BucketedMap<Key, Value>): number =>
  [...map.values()].reduce((size, bucket) => size + bucket.size, 0);
