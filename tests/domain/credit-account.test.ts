import { expect } from 'chai';
import { type CreditAccountEvent, PeriodSeconds } from '../../domain/credit-account/contract.js';
import { creditAccount } from '../../domain/credit-account/decider.js';
import { spentWithin } from '../../domain/credit-account/state.js';
import { add } from '../../domain/kernel/credits.js';
import {
  admit,
  allHeld,
  charge,
  charged,
  clearWindow,
  correct,
  corrected,
  grant,
  granted,
  held,
  hold,
  setWindow,
  theAccount,
  usedUp,
  windowCleared,
  windowSet,
} from '../support/credit-events.js';
import { credits, at } from '../support/values.js';

const day = 86_400;

describe('credit account: the balance (4.2)', () => {
  it('is zero at first', () => expect(theAccount.given().state().balance).to.equal(0n));
  it('grows by every grant, and is corrected and charged, also below zero', () => {
    theAccount.given().cases([grant('10'), [granted('10')]]);
    theAccount.given(granted('0.1')).cases([grant('0.1'), [granted('0.1', '0.2')]]);
    theAccount
      .given(granted('1'))
      .cases(
        [correct('-1.5'), [corrected('-1.5', '-0.5')]],
        [charge('r', '1.000001', 5), [charged('r', '1.000001', '-0.000001', 5)]],
        [charge('r', '0'), [charged('r', '0', '1')]],
      );
  });
  it('takes no grant that is not positive, no correction of zero, and no negative charge or limit', () => {
    const refusal = (amount: string) => ({ _tag: 'InvalidAmount', amount: credits(amount) }) as const;
    theAccount
      .given(granted('1'))
      .cases(
        [grant('0'), refusal('0')],
        [grant('-1'), refusal('-1')],
        [correct('0'), refusal('0')],
        [charge('r', '-1'), refusal('-1')],
        [setWindow('-1', 60), refusal('-1')],
      );
  });
  it('never exceeds the exact range', () =>
    theAccount
      .given(granted('999999999.999999'))
      .cases([
        grant('0.000001'),
        { _tag: 'BalanceOutOfRange', balance: add(credits('999999999.999999'), credits('0.000001')) },
      ]));
  it('has entries in chronological order, whatever the clocks say', () =>
    theAccount
      .given(granted('1', '1', 60))
      .cases([grant('1', 59), [granted('1', '2', 60)]], [charge('r', '1', 59), [charged('r', '1', '0', 60)]]));
});

describe('credit account: a charge', () => {
  theAccount.given(granted('10'), charged('r', '1', '9'), charged('s', '1', '8')).tests({
    'is made once': [charge('r', '1', 9), []],
    'is made once, whatever the repetition contains': [charge('r', '2', 9), []],
    'with another id is made': [charge('t', '1', 9), [charged('t', '1', '7', 9)]],
  });
  it('from long ago is remembered', () => {
    const years = Array.from({ length: 20 }, (_, index) => charged(`c${index}`, '0', '9', (index + 1) * 100 * day));
    theAccount.given(granted('10'), charged('old', '1', '9'), ...years).cases([charge('old', '1', 3_000 * day), []]);
  });
});

describe('credit account: a spending window', () => {
  it('is set', () => theAccount.given().cases([setWindow('5', 3_600), [windowSet('5', 3_600)]]));
  theAccount.given(windowSet('5', 60)).tests({
    'is replaced by one of another limit': [setWindow('4', 60), [windowSet('4', 60)]],
    'is replaced by one of another period': [setWindow('5', 61), [windowSet('5', 61)]],
    'does not change when set to the same values': [setWindow('5', 60, 9), []],
    'is cleared': [clearWindow(7), [windowCleared(7)]],
  });
  it('cannot be cleared if there is none', () =>
    theAccount.given(windowSet('5', 60), windowCleared(7)).cases([clearWindow(8), []]));
  it('has a period of whole seconds, a year at most', () => {
    expect([1, 60, 366 * day].map(PeriodSeconds.is)).to.deep.equal([true, true, true]);
    expect([0, -1, 1.5, 366 * day + 1, Number.NaN, '60'].map(PeriodSeconds.is)).to.not.include(true);
  });
});

describe('credit account: admission (4.2, 7.3, 8)', () => {
  it('needs a positive balance', () => {
    theAccount.given(granted('0.000001')).cases([admit(1), []]);
    theAccount.given(granted('1'), charged('r', '1', '0')).cases([admit(1), { _tag: 'ZeroBalance' }]);
    theAccount
      .given(granted('1'), charged('r', '2', '-1'))
      .cases([admit(1), { _tag: 'NegativeBalance', balance: credits('-1') }]);
  });

  const window = [granted('10'), windowSet('5', 3_600)];
  const spent = [...window, charged('r', '5', '5')];
  it('is refused with a used-up window, also to a free call, until the window opens', () =>
    theAccount
      .given(...spent)
      .cases(
        [admit(60), usedUp('5', 3_600)],
        [admit(60, '0'), usedUp('5', 3_600, '5', '0')],
        [admit(3_599.999), usedUp('5', 3_600)],
        [admit(3_600), []],
      ));
  it('is granted while less than the limit is spent, and after the window was cleared', () => {
    theAccount.given(...window, charged('r', '4.999999', '5.000001')).cases([admit(60), []]);
    theAccount.given(...spent, windowCleared(10)).cases([admit(60), []]);
  });
  it('is granted to a call that fits into the rest of the window, to the last millionth, and to no other', () =>
    theAccount
      .given(...window, charged('r', '4', '6'))
      .cases(
        [admit(60, '1'), []],
        [admit(60, '1.000001'), usedUp('5', 3_600, '4', '1.000001')],
        [admit(3_600, '5'), []],
        [admit(60, '5.000001'), usedUp('5', null, '4', '5.000001')],
        [hold('s', '1.000001', 90, 60), usedUp('5', 3_600, '4', '1.000001')],
      ));
  it('is refused to a call that may cost more than the caller wants to pay, held or not', () => {
    const refusal = { _tag: 'AboveMaxCredits', amount: credits('2'), max_credits: credits('1.999999') } as const;
    theAccount
      .given(granted('10'))
      .cases(
        [admit(1, '2', '1.999999'), refusal],
        [admit(1, '2', '2'), []],
        [hold('r', '2', 60, 1, '1.999999'), refusal],
        [hold('r', '2', 60, 1, '2'), [held('r', '2', 60, 1)]],
        [admit(1, '0', '0'), []],
      );
  });
  it('names the first reason: balance, window, holds, then the price', () => {
    const call = admit(1, '2', '1');
    const some = [...window, charged('r', '3', '7')];
    theAccount.given().cases([call, { _tag: 'ZeroBalance' }]);
    theAccount.given(...some, charged('s', '1', '6'), held('h', '6', 60)).cases([call, usedUp('5', 3_600, '4', '2')]);
    theAccount.given(...some, held('h', '0.5', 60)).cases([call, allHeld('0.5', 'window')]);
    theAccount.given(granted('1'), held('h', '1', 60)).cases([call, allHeld('1')]);
    theAccount
      .given(...some)
      .cases([call, { _tag: 'AboveMaxCredits', amount: credits('2'), max_credits: credits('1') }]);
  });
  it('counts what was charged before the window was set', () =>
    theAccount
      .given(granted('10'), charged('r', '5', '5'), windowSet('5', 3_600, 100))
      .cases([admit(200), usedUp('5', 3_600)]));
  it('opens when enough of several charges have left', () =>
    theAccount
      .given(
        ...window,
        charged('a', '1', '9', 10),
        charged('b', '1', '8', 20),
        charged('c', '2', '6', 30),
        charged('d', '3', '3', 40),
      )
      .cases([admit(50), usedUp('5', 3_630, '7')]));
});

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
