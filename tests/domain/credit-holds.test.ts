import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import * as fc from 'fast-check';
import type { CreditAccountCommand, CreditAccountEvent } from '../../domain/credit-account/contract.js';
import { spentWithin, creditLeft } from '../../domain/credit-account/state.js';
import { creditAccount } from '../../domain/credit-account/decider.js';
import { type Credits, add, creditsText, negate, zeroCredits } from '../../domain/kernel/credits.js';
import {
  admit,
  allHeld,
  charge,
  charged,
  corrected,
  correct,
  grant,
  granted,
  held,
  hold,
  release,
  released,
  setWindow,
  theAccount,
  usedUp,
  windowSet,
} from '../support/credit-events.js';
import { credits, at } from '../support/values.js';

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
  it('are not the reason if the balance or the window would refuse without them', () => {
    const whole = [granted('1'), held('r', '1', 60)];
    theAccount.given(...whole, charged('a', '1', '0', 1)).cases([admit(2), { _tag: 'ZeroBalance' }]);
    theAccount
      .given(...whole, corrected('-2', '-1', 1))
      .cases([admit(2), { _tag: 'NegativeBalance', balance: credits('-1') }]);
    theAccount
      .given(granted('10'), windowSet('2', 3_600), charged('a', '2', '8'), held('r', '8', 60))
      .cases([admit(1), usedUp('2', 3_600)]);
  });
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

interface Step {
  readonly what: 'hold' | 'charge' | 'release' | 'grant' | 'correct' | 'wait' | 'window';
  readonly amount: number;
}

const steps: fc.Arbitrary<ReadonlyArray<Step>> = fc.array(
  fc.record({
    what: fc.constantFrom(
      ...(['hold', 'hold', 'hold', 'charge', 'charge', 'release', 'grant', 'correct', 'wait', 'window'] as const),
    ),
    amount: fc.integer({ min: 1, max: 5_000_000 }),
  }),
  { maxLength: 80 },
);

const period_seconds = 20;

describe('holds, for arbitrary commands', () => {
  it('limit the overdraft to the cost of one call, except for corrections, and spending to the window', () =>
    fc.assert(
      fc.property(steps, (history) => {
        let state = creditAccount.initial;
        let [seconds, corrected_by, largest, most] = [0, zeroCredits, zeroCredits, zeroCredits];
        const open = new Map<string, Credits>();
        const give = (command: CreditAccountCommand): boolean => {
          const decision = creditAccount.decide(command, state);
          if (E.isLeft(decision)) return false;
          state = decision.right.reduce(creditAccount.evolve, state);
          return true;
        };
        const admitted = (id: string, amount: string): void => {
          if (!give(hold(id, amount, 1e6, seconds))) return;
          open.set(id, credits(amount));
          if (credits(amount) > largest) largest = credits(amount);
        };
        const ended = (by: 'charge' | 'release'): void => {
          const [running] = open;
          if (running === undefined) return;
          const [id, amount] = running;
          give(by === 'charge' ? { ...charge(id, '0', seconds), amount } : release(id, seconds));
          open.delete(id);
        };
        /** The limit is only raised: what was admitted under a higher one may exceed a lower one. */
        const raised = (by: Credits): void => {
          most = add(most, by);
          give(setWindow(creditsText(most), period_seconds, seconds));
        };
        give(setWindow('0', period_seconds));
        history.forEach(({ what, amount: millionths }, step) => {
          const amount = (millionths / 1e6).toFixed(6);
          if (what === 'grant') give(grant(amount, seconds));
          if (what === 'correct' && give(correct(`-${amount}`, seconds)))
            corrected_by = add(corrected_by, credits(amount));
          if (what === 'wait') seconds += 1;
          if (what === 'window') raised(credits(amount));
          if (what === 'hold') admitted(`call-${step}`, amount);
          if (what === 'charge' || what === 'release') ended(what);
          expect(add(state.balance, corrected_by) >= negate(largest)).to.equal(true);
          expect(spentWithin(state.recent, period_seconds, at(seconds)) <= most).to.equal(true);
          expect(state.holds.map(({ amount: one }) => one)).to.have.members([...open.values()]);
        });
      }),
    ));
});
