import { type Credits, add, subtract, zeroCredits } from '../kernel/credits.js';
import { type Timestamp, secondsAfter } from '../kernel/timestamp.js';
import { longestPeriodSeconds } from './contract.js';

interface Charge {
  readonly at: Timestamp;
  /** What was charged before this one, and with it, since the account was opened. */
  readonly before: Credits;
  readonly after: Credits;
}

/**
 * The charges of the longest period, in the order of their times, as an immutable value that costs next to nothing for
 * each charge: successive values share one list, of which each sees a stretch, and only the newest extends it. Where
 * they are too many, older ones that lie close together become one entry, with the time of the last of them: they leave
 * a window late, by half a percent of its period at most.
 */
export interface RecentCharges {
  readonly list: Array<Charge>;
  readonly from: number;
  readonly to: number;
  /** What was charged since the account was opened. */
  readonly total: Credits;
}

export const noCharges: RecentCharges = { list: [], from: 0, to: 0, total: zeroCredits };

/** The first place of a stretch where a condition holds that goes on to hold; the stretch's end when there is none. */
const firstPlace = ({ list, from, to }: RecentCharges, holds: (charge: Charge) => boolean): number => {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const charge = list[middle];
    if (charge === undefined || holds(charge)) high = middle;
    else low = middle + 1;
  }
  return low;
};

const isAfter =
  (cutoff: Timestamp) =>
  ({ at }: Charge): boolean =>
    at > cutoff;

/** The place of the first charge that some window may count at a time. */
const firstCounted = ({ list, from, to }: RecentCharges, now: Timestamp): number => {
  const counts = isAfter(secondsAfter(now, -longestPeriodSeconds));
  let place = from;
  for (let charge = list[place]; place < to && charge !== undefined && !counts(charge); charge = list[place])
    place += 1;
  return place;
};

const mostForgotten = 1_024;

/** The list with a charge after a stretch of it; one of its own when something else follows there, or too much is past. */
const listWith = (charge: Charge, { list, to }: RecentCharges, from: number): Array<Charge> | null => {
  const next = list[to];
  if (to === 0 || to - from >= mostEntries || from > Math.max(mostForgotten, to / 2)) return null;
  if (next === undefined) list.push(charge);
  return next === undefined || (next.at === charge.at && next.after === charge.after) ? list : null;
};

/** So many entries are kept at most, and so many of the newest as they are. */
const mostEntries = 10_000;
const mostExact = 2_500;
/** Older charges become one entry that lie closer together than this part of their age. */
const part = 200;

/** Entries that take less room, as things stand at a time. */
const joined = (entries: ReadonlyArray<Charge>, now: Timestamp): ReadonlyArray<Charge> => {
  const kept: Charge[] = [];
  let [first, age] = [0, 0];
  for (const charge of entries) {
    const [last, at] = [kept.at(-1), Date.parse(charge.at)];
    if (last !== undefined && (at - first) * part <= age) kept[kept.length - 1] = { ...charge, before: last.before };
    else {
      kept.push(charge);
      [first, age] = [at, Date.parse(now) - at];
    }
  }
  return kept;
};

/** A list of its own for a stretch. */
const listOf = ({ list, to }: RecentCharges, from: number, now: Timestamp): Array<Charge> => {
  const own = list.slice(from, to);
  return own.length < mostEntries ? own : [...joined(own.slice(0, -mostExact), now), ...own.slice(-mostExact)];
};

/** The charges with one more, which is not earlier than the others, and without those that no window can count. */
export const withCharge = (charges: RecentCharges, at: Timestamp, amount: Credits): RecentCharges => {
  const from = firstCounted(charges, at);
  const charge: Charge = { at, before: charges.total, after: add(charges.total, amount) };
  const list = listWith(charge, charges, from);
  if (list !== null) return { list, from, to: charges.to + 1, total: charge.after };
  const own = listOf(charges, from, at);
  own.push(charge);
  return { list: own, from: 0, to: own.length, total: charge.after };
};

/** What was charged in the period that ends now; a charge counts until exactly the period after it. */
export const spentWithin = (charges: RecentCharges, period_seconds: number, now: Timestamp): Credits => {
  const place = firstPlace(charges, isAfter(secondsAfter(now, -period_seconds)));
  const first = place < charges.to ? charges.list[place] : undefined;
  return first === undefined ? zeroCredits : subtract(charges.total, first.before);
};

/** When less than the limit will have been charged in a period, if nothing more is; null when never. */
export const belowLimitAt = (charges: RecentCharges, limit: Credits, period_seconds: number): Timestamp | null => {
  const place = firstPlace(charges, ({ after }) => subtract(charges.total, after) < limit);
  const last = place < charges.to ? charges.list[place] : undefined;
  return last === undefined ? null : secondsAfter(last.at, period_seconds);
};

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
