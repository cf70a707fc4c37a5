import { type GrowingSet, emptySet, isIn, withItem } from './growing-set.js';

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
