import { expect } from 'chai';
import { type CreditAccountEvent, PeriodSeconds } from '../../domain/credit-account/contract.js';
import { creditLeft } from '../../domain/credit-account/state.js';
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
  release,
  released,
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

describe('credit account: holds', () => {
  it('are set aside for admitted calls, unless nothing can be charged', () => {
    theAccount
      .given(granted('1'))
      .cases(
        [hold('r', '5', 60, 1), [held('r', '5', 60, 1)]],
        [hold('r', '0', 60), []],
        [hold('r', '-1', 60), { _tag: 'InvalidAmount', amount: credits('-1') }],
      );
    theAccount.given().cases([hold('r', '0', 60), { _tag: 'ZeroBalance' }]);
  });
  it('are not available to others', () => {
    theAccount
      .given(granted('10'), held('r', '10', 60))
      .cases([hold('s', '1', 61, 1), allHeld('10')], [admit(1), allHeld('10')]);
    theAccount.given(granted('10'), held('r', '9.999999', 60)).cases([admit(1), []]);
  });
  it('are made once', () => {
    for (const made of [held('r', '6', 60), charged('r', '6', '4')])
      theAccount.given(granted('10'), made).cases([hold('r', '6', 60, 1), []]);
  });

  it('end with the charge of the same id, whatever its amount, and with no other', () => {
    theAccount.given(granted('10'), held('r', '10', 60), charged('r', '2', '8', 5)).cases([admit(6), []]);
    theAccount.given(granted('10'), held('r', '9', 60), charged('other', '1', '9', 5)).cases([admit(6), allHeld('9')]);
  });
  it('can be released, once', () => {
    theAccount.given(granted('10'), held('r', '10', 60)).cases([release('r', 5), [released('r', 5)]]);
    theAccount.given(granted('10'), held('r', '10', 60), released('r', 5)).cases([release('r', 6), []], [admit(6), []]);
    theAccount.given().cases([release('r'), []]);
  });
  it('expire at their time, not before', () =>
    theAccount.given(granted('10'), held('r', '10', 60)).cases([admit(59.999), allHeld('10')], [admit(60), []]));
  it('are forgotten after they expired', () => {
    const many = Array.from({ length: 50 }, (_, index) => held(`r${index}`, '0.1', index + 1, index));
    expect(theAccount.given(granted('10'), ...many).state().holds.length).to.equal(1);
  });

  it('count as spent in a window, and are reported as holds', () =>
    theAccount
      .given(granted('100'), windowSet('5', 3_600), charged('a', '2', '98'), held('r', '3', 60))
      .cases([admit(1), allHeld('3', 'window')], [admit(60), []]));
});

describe('what a running call may still spend', () => {
  const left = (...events: ReadonlyArray<CreditAccountEvent>) =>
    creditLeft(theAccount.given(granted('10'), ...events).state(), at(1), (id) => id === 'own');
  it('is the balance, its own holds included', () => {
    expect(left()).to.equal(credits('10'));
    expect(left(held('own', '4', 60))).to.equal(credits('10'));
  });
  it('is not ended by one other call, but leaves the rest to others', () => {
    expect(left(held('r', '50', 60))).to.equal(credits('10'));
    expect(left(held('r', '4', 60), held('s', '3', 60))).to.equal(credits('7'));
    expect(left(held('r', '4', 0.5), held('s', '3', 60))).to.equal(credits('10'));
  });
  it('is the rest of the window if that is less, without all that others hold', () => {
    expect(left(windowSet('6', 60), held('own', '4', 60))).to.equal(credits('6'));
    expect(left(windowSet('9', 60), held('r', '4', 60), held('s', '3', 60))).to.equal(credits('2'));
    expect(left(windowSet('20', 60), held('r', '4', 60), held('s', '3', 60))).to.equal(credits('7'));
  });
});
