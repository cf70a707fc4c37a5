import * as t from 'io-ts';
import { type Credits, CreditsText, StoredCredits, add, creditsOf, subtract, zeroCredits } from '../kernel/credits.js';
import { nullable } from '../kernel/recorded-event.js';
import { Timestamp, secondsAfter } from '../kernel/timestamp.js';
import { PeriodSeconds, longestPeriodSeconds } from './contract.js';

/** A charge, as the total charged since the account was opened up to and including it. */
const Charge = t.type({ at: Timestamp, total: StoredCredits });
type Charge = t.TypeOf<typeof Charge>;

/**
 * The charges of the longest window period, oldest first, and the total charged before them. If there are too many, older
 * ones close together are combined into one, dated as the last of them. They leave a window late, by at most half a
 * percent of its period.
 */
const RecentCharges = t.type({ before: StoredCredits, list: t.readonlyArray(Charge) });
export type RecentCharges = t.TypeOf<typeof RecentCharges>;

const totalOf = ({ before, list }: RecentCharges): Credits => list.at(-1)?.total ?? before;

/** Maximum number of charges, and how many of the newest are never combined. */
const maxCharges = 10_000;
const maxExactCharges = 2_500;
/** Older charges are combined if they are closer together than this fraction of their age. */
const part = 200;

const combined = (charges: ReadonlyArray<Charge>, now: Timestamp): ReadonlyArray<Charge> => {
  const kept: Charge[] = [];
  let [first, age] = [0, 0];
  for (const charge of charges) {
    const at = Date.parse(charge.at);
    if (kept.length > 0 && (at - first) * part <= age) kept[kept.length - 1] = charge;
    else {
      kept.push(charge);
      [first, age] = [at, Date.parse(now) - at];
    }
  }
  return kept;
};

/** Appends a charge, which must not be earlier than the others, and drops charges that no window can count. */
export const withCharge = (charges: RecentCharges, at: Timestamp, amount: Credits): RecentCharges => {
  const cutoff = secondsAfter(at, -longestPeriodSeconds);
  const list = [...charges.list, { at, total: add(totalOf(charges), amount) }];
  const from = list.findIndex((charge) => charge.at > cutoff);
  const counted = from === 0 ? list : list.slice(from);
  return {
    before: list[from - 1]?.total ?? charges.before,
    list:
      counted.length > maxCharges
        ? [...combined(counted.slice(0, -maxExactCharges), at), ...counted.slice(-maxExactCharges)]
        : counted,
  };
};

/** Total of the charges in the period that ends now. A charge counts until exactly one period after it. */
export const spentWithin = (charges: RecentCharges, period_seconds: number, now: Timestamp): Credits => {
  const cutoff = secondsAfter(now, -period_seconds);
  const before = charges.list.findLast(({ at }) => at <= cutoff)?.total ?? charges.before;
  return subtract(totalOf(charges), before);
};

/** When the total within a period falls to one that fits, if nothing more is charged; null if never. */
export const spendingFallsAt = (
  charges: RecentCharges,
  fits: (spent: Credits) => boolean,
  period_seconds: number,
): Timestamp | null => {
  const all = totalOf(charges);
  const last = charges.list.find(({ total }) => fits(subtract(all, total)));
  return last === undefined ? null : secondsAfter(last.at, period_seconds);
};

/** Credits set aside for a call in progress, until the hold expires at `lapses_at`. */
const Hold = t.type({ hold_id: t.string, amount: StoredCredits, lapses_at: Timestamp });
type Holds = ReadonlyArray<t.TypeOf<typeof Hold>>;

const sumOf = (holds: Holds): Credits => holds.reduce((sum, { amount }) => add(sum, amount), zeroCredits);

/** The holds that have not expired: never more than calls in progress. */
export const holdsAt = (holds: Holds, at: Timestamp): Holds => holds.filter(({ lapses_at }) => lapses_at > at);

export const withoutHold = (holds: Holds, hold_id: string): Holds => holds.filter((hold) => hold.hold_id !== hold_id);

/** Total held at a time. */
export const heldAt = (holds: Holds, at: Timestamp): Credits => sumOf(holdsAt(holds, at));

/** An account's state, which is stored in snapshots as it is. */
export const CreditAccountState = t.type(
  {
    balance: StoredCredits,
    /** Ids of the newest charges. An older charge is recognised by its event id, which derives from its cause. */
    charged: t.readonlyArray(t.string),
    recent: RecentCharges,
    window: nullable(t.type({ limit: CreditsText, period_seconds: PeriodSeconds })),
    holds: t.readonlyArray(Hold),
    /** Time of the newest event; null before the first. */
    last_at: nullable(Timestamp),
  },
  'CreditAccountState',
);
export type CreditAccountState = t.TypeOf<typeof CreditAccountState>;

const rememberedIds = 5_000;

/** Adds the id of a charge. */
export const withId = (charged: ReadonlyArray<string>, charge_id: string): ReadonlyArray<string> => [
  ...charged.slice(1 - rememberedIds),
  charge_id,
];

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
  const others = holdsAt(holds, at).filter(({ hold_id }) => !isOwn(hold_id));
  const held = sumOf(others);
  const largest = others.reduce((most, { amount }) => (amount > most ? amount : most), zeroCredits);
  const ofBalance = subtract(balance, subtract(held, largest));
  if (window === null) return ofBalance;
  const spent = spentWithin(recent, window.period_seconds, at);
  const ofWindow = subtract(creditsOf(window.limit), add(spent, held));
  return ofWindow < ofBalance ? ofWindow : ofBalance;
};
