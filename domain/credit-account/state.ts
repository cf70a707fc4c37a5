import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as t from 'io-ts';
import { type Credits, CreditsText, add, creditsOf, creditsText, subtract, zeroCredits } from '../kernel/credits.js';
import { Timestamp, secondsAfter } from '../kernel/timestamp.js';
import { PeriodSeconds, longestPeriodSeconds } from './contract.js';
import type { HoldId } from '../kernel/ids.js';

interface Charge {
  readonly at: Timestamp;
  /** Total charged since the account was opened, before and after this charge. */
  readonly before: Credits;
  readonly after: Credits;
}

/**
 * The charges of the longest window period, ordered by time, as an immutable value with cheap appends: successive
 * values share one list, of which each uses a range, and only the newest extends it. If there are too many entries,
 * older ones close together are combined into one, dated as the last of them. They leave a window late, by at most half
 * a percent of its period.
 */
export interface RecentCharges {
  readonly list: Array<Charge>;
  readonly from: number;
  readonly to: number;
  /** Total charged since the account was opened. */
  readonly total: Credits;
}

export const noCharges: RecentCharges = { list: [], from: 0, to: 0, total: zeroCredits };

/**
 * Binary search: the first index in the range at which a monotone condition holds; the end of the range if there is
 * none.
 */
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

/** Index of the first charge that any window may still count. */
const firstCounted = ({ list, from, to }: RecentCharges, now: Timestamp): number => {
  const counts = isAfter(secondsAfter(now, -longestPeriodSeconds));
  let place = from;
  for (let charge = list[place]; place < to && charge !== undefined && !counts(charge); charge = list[place])
    place += 1;
  return place;
};

const maxOutdatedEntries = 1_024;

/**
 * The shared list with one more charge. Null if another value has already extended it differently, or if too many
 * entries are outdated: then a new list is needed.
 */
const listWith = (charge: Charge, { list, to }: RecentCharges, from: number): Array<Charge> | null => {
  const next = list[to];
  if (to === 0 || to - from >= maxEntries || from > Math.max(maxOutdatedEntries, to / 2)) return null;
  if (next === undefined) list.push(charge);
  return next === undefined || (next.at === charge.at && next.after === charge.after) ? list : null;
};

/** Maximum number of entries, and how many of the newest are never combined. */
const maxEntries = 10_000;
const maxExactEntries = 2_500;
/** Older charges are combined if they are closer together than this fraction of their age. */
const part = 200;

/** Combines entries that are close together in relation to their age. */
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

/** Copies a range into a list of its own, combining old entries if there are too many. */
const listOf = ({ list, to }: RecentCharges, from: number, now: Timestamp): Array<Charge> => {
  const own = list.slice(from, to);
  return own.length < maxEntries
    ? own
    : [...joined(own.slice(0, -maxExactEntries), now), ...own.slice(-maxExactEntries)];
};

/** Appends a charge, which must not be earlier than the others, and drops charges that no window can count. */
export const withCharge = (charges: RecentCharges, at: Timestamp, amount: Credits): RecentCharges => {
  const from = firstCounted(charges, at);
  const charge: Charge = { at, before: charges.total, after: add(charges.total, amount) };
  const list = listWith(charge, charges, from);
  if (list !== null) return { list, from, to: charges.to + 1, total: charge.after };
  const own = listOf(charges, from, at);
  own.push(charge);
  return { list: own, from: 0, to: own.length, total: charge.after };
};

/** Total of the charges in the period that ends now. A charge counts until exactly one period after it. */
export const spentWithin = (charges: RecentCharges, period_seconds: number, now: Timestamp): Credits => {
  const place = firstPlace(charges, isAfter(secondsAfter(now, -period_seconds)));
  const first = place < charges.to ? charges.list[place] : undefined;
  return first === undefined ? zeroCredits : subtract(charges.total, first.before);
};

/** When the total within a period falls to one that fits, if nothing more is charged; null if never. */
export const spendingFallsAt = (
  charges: RecentCharges,
  fits: (spent: Credits) => boolean,
  period_seconds: number,
): Timestamp | null => {
  const place = firstPlace(charges, ({ after }) => fits(subtract(charges.total, after)));
  const last = place < charges.to ? charges.list[place] : undefined;
  return last === undefined ? null : secondsAfter(last.at, period_seconds);
};

/**
 * An immutable set with O(1) insertion. Successive sets share one map from item to insertion index; a set of `size`
 * items contains those with a smaller index. Adding to the newest set extends the map. Adding to an older set the same
 * item as before reuses it; anything else copies the map.
 */
interface GrowingSet {
  readonly places: Map<string, number>;
  readonly size: number;
}

export const emptySet: GrowingSet = { places: new Map(), size: 0 };

const isIn = ({ places, size }: GrowingSet, item: string): boolean => (places.get(item) ?? size) < size;

/** All items in insertion order. */
export const itemsOf = ({ places, size }: GrowingSet): Array<string> =>
  [...places].flatMap(([item, place]) => (place < size ? item : []));

const ownPlaces = ({ places, size }: GrowingSet, item: string): Map<string, number> => {
  const isShared = places.get(item) === size || (size > 0 && places.size === size);
  return isShared ? places : new Map([...places].filter(([, place]) => place < size));
};

/** Adds an item. */
export const withItem = (set: GrowingSet, item: string): GrowingSet =>
  isIn(set, item) ? set : { places: ownPlaces(set, item).set(item, set.size), size: set.size + 1 };

/** The newest ids, in two generations: at least one full generation, at most two. */
export interface RecentIds {
  readonly older: GrowingSet;
  readonly newer: GrowingSet;
}

const generationSize = 5_000;

export const noIds: RecentIds = { older: emptySet, newer: emptySet };

export const isRecent = ({ older, newer }: RecentIds, id: string): boolean => isIn(newer, id) || isIn(older, id);

/** Adds an id. */
export const withId = ({ older, newer }: RecentIds, id: string): RecentIds => {
  const more = withItem(newer, id);
  return more.size < generationSize ? { older, newer: more } : { older: more, newer: emptySet };
};

interface Hold {
  readonly amount: Credits;
  /** When the hold expires. */
  readonly lapses_at: Timestamp;
}

/** Credits set aside for calls in progress, by hold id. */
type Holds = ReadonlyMap<string, Hold>;

export const noHolds: Holds = new Map();

/** Adds a hold and drops expired ones, so there are never more than calls in progress. */
export const withHold = (holds: Holds, hold_id: HoldId, hold: Hold, at: Timestamp): Holds =>
  new Map([...holds].filter(([, { lapses_at }]) => lapses_at > at)).set(hold_id, hold);

export const withoutHold = (holds: Holds, hold_id: string): Holds =>
  holds.has(hold_id) ? new Map([...holds].filter(([id]) => id !== hold_id)) : holds;

const amountsAt = (holds: Holds, at: Timestamp, counts: (hold_id: string) => boolean): ReadonlyArray<Credits> =>
  [...holds].filter(([id, { lapses_at }]) => lapses_at > at && counts(id)).map(([, { amount }]) => amount);

const sumOf = (amounts: ReadonlyArray<Credits>): Credits => amounts.reduce(add, zeroCredits);

/** Total held at a time. */
export const heldAt = (holds: Holds, at: Timestamp): Credits => sumOf(amountsAt(holds, at, () => true));

export interface SpendingWindow {
  readonly limit: CreditsText;
  readonly period_seconds: PeriodSeconds;
}

export interface CreditAccountState {
  readonly balance: Credits;
  /** Ids of the newest charges. An older charge is recognised by its event id, which derives from its cause. */
  readonly charged: RecentIds;
  readonly recent: RecentCharges;
  readonly window: SpendingWindow | null;
  readonly holds: Holds;
  /** Time of the newest event; null before the first. */
  readonly last_at: Timestamp | null;
}

/**
 * What running calls may still spend: the smaller of the balance and the rest of the spending window, each without the
 * holds of other calls. On the balance, the largest of these holds is ignored, so that one new call does not end running
 * ones; the account is overdrawn by at most the cost of one call. The window is a limit: nothing is ignored there.
 */
export const creditLeft = (
  { balance, window, recent, holds }: CreditAccountState,
  at: Timestamp,
  isOwn: (hold_id: string) => boolean,
): Credits => {
  const others = amountsAt(holds, at, (hold_id) => !isOwn(hold_id));
  const held = sumOf(others);
  const largest = others.reduce((most, amount) => (amount > most ? amount : most), zeroCredits);
  const ofBalance = subtract(balance, subtract(held, largest));
  if (window === null) return ofBalance;
  const spent = spentWithin(recent, window.period_seconds, at);
  const ofWindow = subtract(creditsOf(window.limit), add(spent, held));
  return ofWindow < ofBalance ? ofWindow : ofBalance;
};

/**
 * Validates as a whole, without error paths: collecting these for a list of 10,000 would take most of the reading time.
 */
const whole = <Type, Output>({ name, is, encode }: t.Type<Type, Output>): t.Type<Type, Output> =>
  new t.Type(name, is, (input, context) => (is(input) ? t.success(input) : t.failure(input, context)), encode);

const Ids = whole(t.array(t.string));

/** JSON form of an account. A charge is its time and the total charged up to and including it. */
const Stored = t.type({
  balance: CreditsText,
  charged: t.type({ older: Ids, newer: Ids }),
  before: CreditsText,
  charges: whole(t.array(t.tuple([Timestamp, CreditsText]))),
  window: t.union([t.null, t.type({ limit: CreditsText, period_seconds: PeriodSeconds })]),
  holds: t.array(t.tuple([t.string, t.type({ amount: CreditsText, lapses_at: Timestamp })])),
  last_at: t.union([t.null, Timestamp]),
});

const setOf = (items: ReadonlyArray<string>) => items.reduce(withItem, emptySet);

const chargesOf = ({ before, charges }: t.TypeOf<typeof Stored>): RecentCharges => {
  let total = creditsOf(before);
  const list = charges.map(([at, text]) => {
    const after = creditsOf(text);
    const charge = { at, before: total, after };
    total = after;
    return charge;
  });
  return { list, from: 0, to: list.length, total };
};

const stateOf = (stored: t.TypeOf<typeof Stored>): CreditAccountState => ({
  balance: creditsOf(stored.balance),
  charged: { older: setOf(stored.charged.older), newer: setOf(stored.charged.newer) },
  recent: chargesOf(stored),
  window: stored.window,
  holds: new Map(stored.holds.map(([id, { amount, lapses_at }]) => [id, { amount: creditsOf(amount), lapses_at }])),
  last_at: stored.last_at,
});

const storedOf = ({ balance, charged, recent, window, holds, last_at }: CreditAccountState): typeof Stored._O => {
  const charges = recent.list.slice(recent.from, recent.to);
  return {
    balance: creditsText(balance),
    charged: { older: itemsOf(charged.older), newer: itemsOf(charged.newer) },
    before: creditsText(charges[0]?.before ?? recent.total ?? zeroCredits),
    charges: charges.map(({ at, after }) => [at, creditsText(after)]),
    window,
    holds: [...holds].map(([id, { amount, lapses_at }]) => [id, { amount: creditsText(amount), lapses_at }]),
    last_at,
  };
};

/** Codec between an account's state and JSON. Its size is limited to 10,000 charges. */
export const snapshotOfAccount = new t.Type<CreditAccountState, unknown>(
  'CreditAccountSnapshot',
  (input): input is CreditAccountState => typeof input === 'object' && input !== null && 'recent' in input,
  (input) => pipe(Stored.decode(input), E.map(stateOf)),
  storedOf,
);
