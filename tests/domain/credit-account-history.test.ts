import { expect } from 'chai';
import type { CreditAccountEvent } from '../../domain/credit-account/contract.js';
import { creditAccount } from '../../domain/credit-account/decider.js';
import { charge, charged } from '../support/credit-events.js';
import { spentWithin } from '../../domain/credit-account/state.js';
import { credits } from '../support/credits.js';
import { at } from '../support/values.js';

const day = 86_400;

describe('credit account: long histories', () => {
  const account = (events: ReadonlyArray<CreditAccountEvent>) =>
    events.reduce(creditAccount.evolve, creditAccount.initial);
  const life = (count: number) => Array.from({ length: count }, (_, index) => charged(`c${index}`, '0.5', '1', index));

  it('drops charges that no window can count', () => {
    const events = Array.from({ length: 10_000 }, (_, index) => charged(`c${index}`, '1', '1', index * day));
    const { before, list } = account(events).recent;
    expect([before, list[0]?.total, list.length]).to.deep.equal([credits('9634'), credits('9635'), 366]);
  });

  it('uses no more memory for a year of charges than for a day, and is at most half a percent late', () => {
    const seconds = Array.from({ length: 40_000 }, (_, index) => Math.floor((index / 40_000) ** 0.5 * 300 * day));
    const events = seconds.map((second, index) => charged(`c${index}`, '1', '1', second));
    const { charged: ids, recent } = account(events);
    expect(recent.list.length).to.be.lessThan(10_001);
    expect(ids.length).to.be.lessThan(10_001);
    const now = at(300 * day);
    const exact = (period: number): bigint =>
      BigInt(seconds.filter((second) => second > 300 * day - period).length) * credits('1');
    for (const period of [60, 3_600, day, 7 * day, 30 * day, 200 * day]) {
      const spent = spentWithin(recent, period, now);
      expect(spent >= exact(period), `${period} s`).to.equal(true);
      expect(spent <= exact(period * 1.006), `${period} s`).to.equal(true);
    }
    expect(recent.list.at(-1)?.total).to.equal(credits('40000'));
  });

  it('recognises at least the five thousand newest charges by id', () => {
    const state = account(life(12_000));
    const booked = (id: string): boolean => {
      const decision = creditAccount.decide(charge(id, '1'), state);
      return decision._tag === 'Right' && decision.right.length === 0;
    };
    expect([booked('c11999'), booked('c7000'), booked('c0')]).to.deep.equal([true, true, false]);
  });
});
