import { expect } from 'chai';
import type { CreditAccountEvent } from '../../domain/credit-account/contract.js';
import { creditAccount } from '../../domain/credit-account/decider.js';
import { charge, charged } from '../support/credit-events.js';
import { credits } from '../support/credits.js';

const day = 86_400;

describe('credit account: a long life', () => {
  const account = (events: ReadonlyArray<CreditAccountEvent>) =>
    events.reduce(creditAccount.evolve, creditAccount.initial);
  const life = (count: number) => Array.from({ length: count }, (_, index) => charged(`c${index}`, '0.5', '1', index));

  it('is folded without copying: all states share one list and one map', () => {
    const copies = { lists: new Set<unknown>(), maps: new Set<unknown>() };
    const state = life(10_000).reduce((state, event) => {
      const next = creditAccount.evolve(state, event);
      copies.lists.add(next.recent.list);
      copies.maps.add(next.charged.places);
      return next;
    }, creditAccount.initial);
    expect([state.charged.size, state.recent.total]).to.deep.equal([10_000, credits('5000')]);
    expect([copies.lists.size, copies.maps.size]).to.deep.equal([1, 1]);
  });

  it('leaves every earlier state as it was, and may go on from it in two ways', () => {
    const before = account(life(10));
    const one = creditAccount.evolve(before, charged('one', '1', '1', 20));
    const same = creditAccount.evolve(before, charged('one', '1', '1', 20));
    const other = creditAccount.evolve(before, charged('other', '2', '1', 20));
    expect([before, one, same, other].map(({ charged, recent }) => [charged.size, recent.total])).to.deep.equal([
      [10, credits('5')],
      [11, credits('6')],
      [11, credits('6')],
      [11, credits('7')],
    ]);
    const booked = (state: typeof before, id: string): boolean => {
      const decision = creditAccount.decide(charge(id, '1'), state);
      return decision._tag === 'Right' && decision.right.length === 0;
    };
    expect([before, one, same, other].map((state) => booked(state, 'one'))).to.deep.equal([false, true, true, false]);
    expect([before, one, same, other].map((state) => booked(state, 'other'))).to.deep.equal([
      false,
      false,
      false,
      true,
    ]);
  });

  it('keeps of the charges that no window can count none', () => {
    const events = Array.from({ length: 10_000 }, (_, index) => charged(`c${index}`, '1', '1', index * day));
    const { list } = account(events).recent;
    expect(list.length).to.be.lessThan(2_500);
  });
});
