import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { pipe } from 'fp-ts/lib/function.js';
import { CreditsText, creditsOf, creditsText, zeroCredits } from '../kernel/credits.js';
import { Timestamp } from '../kernel/timestamp.js';
import { PeriodSeconds } from './contract.js';
import type { CreditAccountState } from './state.js';
import { emptySet, itemsOf, withItem, type RecentCharges } from './recent-charges.js';

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
