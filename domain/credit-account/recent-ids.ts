/**
 * A set that only grows, as an immutable value that costs O(1) for each item. Successive sets share one map, which
 * holds when each item came; a set of `size` items sees those that came before. Adding to the newest set extends the
 * map; adding to an older one what was added to it before finds it there; anything else makes a map of its own.
 */
interface GrowingSet {
  readonly places: Map<string, number>;
  readonly size: number;
}

export const emptySet: GrowingSet = { places: new Map(), size: 0 };

const isIn = ({ places, size }: GrowingSet, item: string): boolean => (places.get(item) ?? size) < size;

/** All items, in the order in which they came. */
export const itemsOf = ({ places, size }: GrowingSet): Array<string> =>
  [...places].flatMap(([item, place]) => (place < size ? item : []));

const ownPlaces = ({ places, size }: GrowingSet, item: string): Map<string, number> => {
  const isShared = places.get(item) === size || (size > 0 && places.size === size);
  return isShared ? places : new Map([...places].filter(([, place]) => place < size));
};

/** The set with one more item. */
export const withItem = (set: GrowingSet, item: string): GrowingSet =>
  isIn(set, item) ? set : { places: ownPlaces(set, item).set(item, set.size), size: set.size + 1 };

/** The newest of many ids: at least so many as one generation holds, and never more than two. */
export interface RecentIds {
  readonly older: GrowingSet;
  readonly newer: GrowingSet;
}

const mostOfGeneration = 5_000;

export const noIds: RecentIds = { older: emptySet, newer: emptySet };

export const isRecent = ({ older, newer }: RecentIds, id: string): boolean => isIn(newer, id) || isIn(older, id);

/** The ids with one more. */
export const withId = ({ older, newer }: RecentIds, id: string): RecentIds => {
  const more = withItem(newer, id);
  return more.size < mostOfGeneration ? { older, newer: more } : { older: more, newer: emptySet };
};
