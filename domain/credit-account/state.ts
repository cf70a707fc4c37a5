import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as t from 'io-ts';
import { type Credits, CreditsText, add, creditsOf, creditsText, subtract, zeroCredits } from '../kernel/credits.js';
import { Timestamp } from '../kernel/timestamp.js';
import { PeriodSeconds } from './contract.js';
import { type RecentCharges, type RecentIds, emptySet, itemsOf, spentWithin, withItem } from './recent-charges.js';
import type { HoldId } from '../kernel/ids.js';

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
