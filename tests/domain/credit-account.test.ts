import { expect } from 'chai';
import { PeriodSeconds } from '../../domain/credit-account/contract.js';
import { add } from '../../domain/kernel/credits.js';
import {
  admit,
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
  windowCleared,
  windowSet,
} from '../support/credit-events.js';
import { credits } from '../support/credits.js';
import { at } from '../support/values.js';

const usedUp = (limit: string, opens_at: number | null, spent = limit, amount = '0.000001') =>
  ({
    _tag: 'WindowUsedUp',
    limit: credits(limit),
    spent: credits(spent),
    amount: credits(amount),
    opens_at: opens_at === null ? null : at(opens_at),
  }) as const;

const day = 86_400;

describe('credit account: the balance (4.2)', () => {
  it('is zero at first', () => expect(theAccount.given().state().balance).to.equal(0n));
  it('grows by a grant', () => theAccount.given().when(grant('10')).then(granted('10')));
  it('grows by every grant, the same one twice included', () =>
    theAccount.given(granted('0.1')).when(grant('0.1')).then(granted('0.1', '0.2')));
  theAccount.given(granted('1')).tests({
    'is corrected downwards, also below zero': [correct('-1.5'), [corrected('-1.5', '-0.5')]],
    'shrinks by a charge, also below zero': [charge('r', '1.000001', 5), [charged('r', '1.000001', '-0.000001', 5)]],
    'records a charge of zero': [charge('r', '0'), [charged('r', '0', '1')]],
  });

  for (const command of [grant('0'), grant('-1'), correct('0'), charge('r', '-1'), setWindow('-1', 60)]) {
    const amount =
      command.type === 'GrantCredits' || command.type === 'CorrectCredits' ? command.amount : credits('-1');
    it(`takes no ${command.type} of ${amount}`, () =>
      theAccount.given(granted('1')).when(command).thenRefused({ _tag: 'InvalidAmount', amount }));
  }

  it('never exceeds the exact range', () =>
    theAccount
      .given(granted('999999999.999999'))
      .when(grant('0.000001'))
      .thenRefused({ _tag: 'BalanceOutOfRange', balance: add(credits('999999999.999999'), credits('0.000001')) }));
  it('has entries in chronological order, whatever the clocks say', () => {
    theAccount
      .given(granted('1', '1', 60))
      .cases([grant('1', 59), [granted('1', '2', 60)]], [charge('r', '1', 59), [charged('r', '1', '0', 60)]]);
  });
});

describe('credit account: a charge', () => {
  const given = theAccount.given(granted('10'), charged('r', '1', '9'), charged('s', '1', '8'));
  given.tests({
    'is made once': [charge('r', '1', 9), []],
    'is made once, whatever the repetition contains': [charge('r', '2', 9), []],
    'with another id is made': [charge('t', '1', 9), [charged('t', '1', '7', 9)]],
  });
  it('from long ago is remembered', () => {
    const old = charged('old', '1', '9');
    const years = Array.from({ length: 20 }, (_, index) => charged(`c${index}`, '0', '9', (index + 1) * 100 * day));
    theAccount
      .given(granted('10'), old, ...years)
      .when(charge('old', '1', 3_000 * day))
      .thenNothing();
  });
});

describe('credit account: a spending window', () => {
  it('is set', () => theAccount.given().when(setWindow('5', 3_600)).then(windowSet('5', 3_600)));
  it('is replaced by one of another limit or period', () => {
    theAccount
      .given(windowSet('5', 60))
      .cases([setWindow('4', 60), [windowSet('4', 60)]], [setWindow('5', 61), [windowSet('5', 61)]]);
  });
  it('has a period of whole seconds, a year at most', () => {
    expect([1, 60, 366 * day].map(PeriodSeconds.is)).to.deep.equal([true, true, true]);
    expect([0, -1, 1.5, 366 * day + 1, Number.NaN, '60'].map(PeriodSeconds.is)).to.not.include(true);
  });
  theAccount.given(windowSet('5', 60)).tests({
    'does not change when set to the same values': [setWindow('5', 60, 9), []],
    'is cleared': [clearWindow(7), [windowCleared(7)]],
  });
  it('cannot be cleared if there is none', () =>
    theAccount.given(windowSet('5', 60), windowCleared(7)).when(clearWindow(8)).thenNothing());
});

describe('credit account: admission (4.2, 7.3, 8)', () => {
  it('is granted with a positive balance, without an event', () =>
    theAccount.given(granted('0.000001')).when(admit(1)).thenNothing());
  it('is refused with a used-up balance', () =>
    theAccount
      .given(granted('1'), charged('r', '1', '0'))
      .when(admit(1))
      .thenRefused({ _tag: 'ZeroBalance' }));
  it('is refused with a negative balance', () =>
    theAccount
      .given(granted('1'), charged('r', '2', '-1'))
      .when(admit(1))
      .thenRefused({ _tag: 'NegativeBalance', balance: credits('-1') }));

  const spent = [granted('10'), windowSet('5', 3_600), charged('r', '5', '5')];
  it('is refused with a used-up window, with the time when it opens', () =>
    theAccount
      .given(...spent)
      .when(admit(60))
      .thenRefused(usedUp('5', 3_600)));
  it('is granted once the window opens, and not before', () => {
    theAccount.given(...spent).cases([admit(3_599.999), usedUp('5', 3_600)], [admit(3_600), []]);
  });
  it('is granted while less than the limit is spent', () =>
    theAccount
      .given(granted('10'), windowSet('5', 3_600), charged('r', '4.999999', '5.000001'))
      .when(admit(60))
      .thenNothing());
  it('is granted to a call that fits into the rest of the window, to the last millionth, and to no other', () => {
    const given = theAccount.given(granted('10'), windowSet('5', 3_600), charged('r', '4', '6'));
    given.cases(
      [admit(60, '1'), []],
      [admit(60, '1.000001'), usedUp('5', 3_600, '4', '1.000001')],
      [admit(3_600, '5'), []],
      [admit(60, '5.000001'), usedUp('5', null, '4', '5.000001')],
      [hold('s', '1.000001', 90, 60), usedUp('5', 3_600, '4', '1.000001')],
    );
  });
  it('of a free call is refused with a used-up window', () =>
    theAccount
      .given(...spent)
      .when(admit(60, '0'))
      .thenRefused(usedUp('5', 3_600, '5', '0')));
  it('is refused to a call that may cost more than the caller wants to pay, held or not', () => {
    const refusal = { _tag: 'AboveMaxCredits', amount: credits('2'), max_credits: credits('1.999999') } as const;
    const given = theAccount.given(granted('10'));
    given.cases(
      [admit(1, '2', '1.999999'), refusal],
      [admit(1, '2', '2'), []],
      [hold('r', '2', 60, 1, '1.999999'), refusal],
      [hold('r', '2', 60, 1, '2'), [held('r', '2', 60, 1)]],
      [admit(1, '0', '0'), []],
    );
  });
  it('names the first reason: balance, window, holds, then the price', () => {
    const last = { _tag: 'AboveMaxCredits', amount: credits('2'), max_credits: credits('1') } as const;
    const window = [granted('10'), windowSet('5', 3_600), charged('r', '3', '7')];
    theAccount
      .given()
      .when(admit(1, '2', '1'))
      .thenRefused({ _tag: 'ZeroBalance' });
    theAccount
      .given(...window, charged('s', '1', '6'), held('h', '6', 60))
      .when(admit(1, '2', '1'))
      .thenRefused(usedUp('5', 3_600, '4', '2'));
    theAccount
      .given(...window, held('h', '0.5', 60))
      .when(admit(1, '2', '1'))
      .thenRefused({ _tag: 'AllCreditsHeld', of: 'window', held: credits('0.5') });
    theAccount
      .given(granted('1'), held('h', '1', 60))
      .when(admit(1, '2', '1'))
      .thenRefused({ _tag: 'AllCreditsHeld', of: 'balance', held: credits('1') });
    theAccount
      .given(...window)
      .when(admit(1, '2', '1'))
      .thenRefused(last);
  });
  it('counts what was charged before the window was set', () =>
    theAccount
      .given(granted('10'), charged('r', '5', '5'), windowSet('5', 3_600, 100))
      .when(admit(200))
      .thenRefused(usedUp('5', 3_600)));
  it('opens when enough of several charges have left', () =>
    theAccount
      .given(
        granted('10'),
        windowSet('5', 3_600),
        charged('a', '1', '9', 10),
        charged('b', '1', '8', 20),
        charged('c', '2', '6', 30),
        charged('d', '3', '3', 40),
      )
      .when(admit(50))
      .thenRefused(usedUp('5', 3_630, '7')));
  it('is granted after the window was cleared', () =>
    theAccount
      .given(...spent, windowCleared(10))
      .when(admit(60))
      .thenNothing());
});
