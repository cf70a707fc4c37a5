import { expect } from 'chai';
import {
  type CreditAccountEvent,
  isAdmissionRefusal,
  PeriodSeconds,
  refusalReasons,
} from '../../domain/credit-account/contract.js';
import {
  type RecentCharges,
  type RecentIds,
  creditLeft,
  snapshotOfAccount,
  spendingFallsAt,
  noCharges,
  spentWithin,
  withCharge,
  emptySet,
  isRecent,
  itemsOf,
  noIds,
  withId,
  withItem,
} from '../../domain/credit-account/state.js';
import { creditAccount } from '../../domain/credit-account/decider.js';
import { charged, granted, setWindow, theAccount, windowSet } from '../support/credit-events.js';
import { credits } from '../support/credits.js';
import { at } from '../support/values.js';

const day = 86_400;
const one = credits('1');

const chargedAt = (seconds: readonly number[], start: RecentCharges = noCharges): RecentCharges =>
  seconds.reduce((charges, second) => withCharge(charges, at(second), one), start);

const secondsFrom = (first: number, count: number) => Array.from({ length: count }, (_, n) => first + n);

describe('credit account: the list of recent charges', () => {
  it('is shared only by states that follow each other with the same charge', () => {
    const before = chargedAt([1, 2]);
    const next = withCharge(before, at(3), one);
    expect(next.list).to.equal(before.list);
    expect(withCharge(before, at(3), one).list).to.equal(before.list);
    for (const [second, amount] of [
      [3, '2'],
      [4, '1'],
      [4, '2'],
    ] as const) {
      const other = withCharge(before, at(second), credits(amount));
      expect(other.list).not.to.equal(before.list);
      expect(other).to.deep.include({ from: 0, to: 3, total: credits(String(2 + Number(amount))) });
      expect(other.list[2]).to.deep.equal({ at: at(second), before: credits('2'), after: other.total });
    }
    expect(next.list.length).to.equal(3);
    expect(spentWithin(before, 60, at(3))).to.equal(credits('2'));
  });

  it('stays empty for an account without charges', () => {
    chargedAt([1]);
    expect(noCharges.list).to.deep.equal([]);
  });

  it('drops charges that no window can count, and is copied when these are more than half, or a thousand', () => {
    const year = 366 * day;
    const after = (old: number, recent: number) => {
      const charges = chargedAt([...secondsFrom(0, old), ...secondsFrom(year + old - 1, recent)]);
      return [charges.from, charges.to, charges.list.length];
    };
    expect(after(1_024, 1)).to.deep.equal([1_024, 1_025, 1_025]);
    expect(after(1_025, 1)).to.deep.equal([0, 1, 1]);
    expect(after(1_500, 1_501).slice(0, 1)).to.deep.equal([0]);
    const half = chargedAt(secondsFrom(0, 3_000));
    expect(withCharge(half, at(year + 1_499), one)).to.include({ from: 1_500, to: 3_001 });
    expect(withCharge(half, at(year + 1_500), one)).to.include({ from: 0, to: 1_500 });
  });

  it('counts a charge until a year has passed', () => {
    expect(chargedAt([0, 10, 366 * day - 1]).from).to.equal(0);
    expect(chargedAt([0, 10, 366 * day]).from).to.equal(1);
    expect(chargedAt([0, 10, 366 * day + 10]).from).to.equal(2);
  });

  it('combines older charges that are close together, above ten thousand', () => {
    const full = chargedAt(secondsFrom(0, 10_000));
    expect([full.from, full.to, full.list.length]).to.deep.equal([0, 10_000, 10_000]);
    const joined = withCharge(full, at(10_000), one);
    expect(joined.from).to.equal(0);
    expect(joined.to).to.equal(joined.list.length);
    expect(joined.list.slice(-2_501)).to.deep.equal([...full.list.slice(-2_500), joined.list.at(-1)]);
    expect(joined.to).to.equal(2_772);
    expect(joined.list[0]).to.deep.equal({ at: at(50), before: credits('0'), after: credits('51') });
    expect(joined.list[1]?.before).to.equal(credits('51'));
    for (const [n, charge] of joined.list.entries())
      expect(charge.before, `entry ${n}`).to.equal(joined.list[n - 1]?.after ?? credits('0'));
    expect(joined.total).to.equal(credits('10001'));
    expect(spentWithin(joined, 9_000, at(10_000)) >= credits('9000')).to.equal(true);
  });
});

describe('credit account: charges in a window', () => {
  const charges = chargedAt([0, 10, 20]);

  it('include a charge until exactly one period after it', () => {
    const spent = (now: number) => spentWithin(charges, 10, at(now));
    expect([20, 19, 29, 30].map(spent)).to.deep.equal(['1', '2', '1', '0'].map(credits));
    expect(spentWithin(noCharges, 10, at(0))).to.equal(0n);
  });

  it('fall to a total that fits when enough charges have left', () => {
    const below = (limit: string) => spendingFallsAt(charges, (spent) => spent < credits(limit), 100);
    expect(['4', '3.5', '3', '2.5', '2', '1', '0.5', '0'].map(below)).to.deep.equal(
      [100, 100, 100, 100, 110, 120, 120, null].map((second) => (second === null ? null : at(second))),
    );
    expect(spendingFallsAt(noCharges, () => true, 100)).to.equal(null);
  });

  it('exclude those appended for another account state', () => {
    const before = chargedAt([0, 10]);
    chargedAt([20], before);
    expect(spentWithin(before, 10, at(15))).to.equal(one);
    expect(spentWithin(before, 1, at(15))).to.equal(0n);
    expect(spendingFallsAt(before, (spent) => spent < credits('0'), 100)).to.equal(null);
  });
});

describe('credit account: the ids of recent charges', () => {
  const idsFrom = (first: number, count: number, start: RecentIds = noIds) =>
    secondsFrom(first, count).reduce((ids, n) => withId(ids, `c${n}`), start);
  const sizes = ({ older, newer }: RecentIds) => [older.size, newer.size];

  it('are kept in two generations of five thousand', () => {
    expect(sizes(idsFrom(0, 4_999))).to.deep.equal([0, 4_999]);
    expect(sizes(idsFrom(0, 5_000))).to.deep.equal([5_000, 0]);
    expect(sizes(idsFrom(0, 10_000))).to.deep.equal([5_000, 0]);
    const ids = idsFrom(0, 10_001);
    expect(['c4999', 'c5000', 'c10000'].map((id) => isRecent(ids, id))).to.deep.equal([false, true, true]);
    expect(sizes(withId(ids, 'c10000'))).to.deep.equal([5_000, 1]);
  });

  it('share a map as long as they follow each other', () => {
    const [a, none] = [withItem(emptySet, 'a'), withItem(emptySet, 'b')];
    expect([itemsOf(emptySet), itemsOf(a), itemsOf(none)]).to.deep.equal([[], ['a'], ['b']]);
    expect(emptySet.places.size).to.equal(0);
    const ab = withItem(a, 'b');
    expect(ab.places).to.equal(a.places);
    expect(withItem(a, 'b').places).to.equal(a.places);
    const ac = withItem(a, 'c');
    expect(ac.places).not.to.equal(a.places);
    expect([itemsOf(a), itemsOf(ab), itemsOf(ac)]).to.deep.equal([['a'], ['a', 'b'], ['a', 'c']]);
    expect([...ac.places.keys()]).to.deep.equal(['a', 'c']);
    expect(withItem(a, 'a')).to.equal(a);
  });
});

describe('credit account: parts', () => {
  it('have periods of whole seconds, a year at most', () => {
    const periods = [1, 60, 366 * day].map(PeriodSeconds.is);
    expect(periods).to.deep.equal([true, true, true]);
    expect([0, -1, 1.5, 366 * day + 1, Number.NaN, '60'].map(PeriodSeconds.is)).to.not.include(true);
  });

  it('distinguish admission refusals from others', () => {
    const tags = [...Object.keys(refusalReasons), 'InvalidAmount', ''];
    expect(tags.map((_tag) => isAdmissionRefusal({ _tag }))).to.deep.equal([
      true,
      true,
      true,
      true,
      true,
      false,
      false,
    ]);
  });

  it('leave the smaller of the balance and the rest of the window', () => {
    const left = (...events: ReadonlyArray<CreditAccountEvent>) =>
      creditLeft(theAccount.given(...events).state(), at(100), () => false);
    expect(left(granted('10'))).to.equal(credits('10'));
    expect(left(granted('10'), windowSet('3', 60))).to.equal(credits('3'));
    expect(left(granted('10'), windowSet('30', 60))).to.equal(credits('10'));
    expect(left(granted('10'), windowSet('3', 60), charged('c', '1', '9', 90))).to.equal(credits('2'));
  });

  it('replace a window for another period or limit', () => {
    const account = theAccount.given(windowSet('3', 60));
    account.when(setWindow('3', 60, 5)).then();
    account.when(setWindow('3', 61, 5)).then(windowSet('3', 61, 5));
    account.when(setWindow('2', 60, 5)).then(windowSet('2', 60, 5));
  });

  it('are distinguished from other values', () => {
    expect(snapshotOfAccount.is(creditAccount.initial)).to.equal(true);
    for (const other of [null, undefined, 'recent', {}, 1]) expect(snapshotOfAccount.is(other)).to.equal(false);
  });

  it('are stored with the total charged before the kept charges', () => {
    const state = theAccount.given(granted('10'), charged('a', '1', '9', 0), charged('b', '1', '8', 367 * day)).state();
    expect(snapshotOfAccount.encode(state)).to.deep.include({ before: '1', charges: [[at(367 * day), '2']] });
    const empty = { ...state, recent: { ...state.recent, from: 2 } };
    expect(snapshotOfAccount.encode(empty)).to.deep.include({ before: '2', charges: [] });
  });
});
