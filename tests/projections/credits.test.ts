import { expect } from 'chai';
import type { CreditAccountEvent } from '../../domain/credit-account/contract.js';
import { charged, corrected, granted, held, released, windowCleared, windowSet } from '../support/credit-events.js';
import { at } from '../support/values.js';
import { rowsAfter } from './given.js';

const stream = 'creditAccount-acme-1';

describe('the credits projection', () => {
  it('shows the balance, the total charged and the window', () => {
    const rows = rowsAfter(
      [stream, granted('10')],
      [stream, charged('r', '2.5', '7.5')],
      [stream, corrected('-1', '6.5')],
      [stream, windowSet('5', 60)],
      ['creditAccount-other', granted('1')],
    );
    expect(rows.creditAccounts.get('acme-1')).to.deep.equal({
      account_id: 'acme-1',
      balance: '6.5',
      charged_total: '2.5',
      window: { limit: '5', period_seconds: 60 },
      holds: [],
      revision: 3,
    });
    expect(rows.creditAccounts.get('other')).to.include({ balance: '1', window: null });
  });

  it('shows holds until they are charged, released or expired', () => {
    const holdsAfter = (...events: ReadonlyArray<CreditAccountEvent>) =>
      rowsAfter(...events.map((event) => [stream, event] as const))
        .creditAccounts.get('acme-1')
        ?.holds.map(({ hold_id, amount }) => [hold_id, amount]);
    const both = [granted('10'), held('r', '2', 60), held('s', '3', 70, 1)];
    expect(holdsAfter(...both)).to.deep.equal([
      ['r', '2'],
      ['s', '3'],
    ]);
    expect(holdsAfter(...both, charged('r', '1', '9', 2))).to.deep.equal([['s', '3']]);
    expect(holdsAfter(...both, released('s', 2))).to.deep.equal([['r', '2']]);
    expect(holdsAfter(...both, held('t', '4', 90, 60))).to.deep.equal([
      ['s', '3'],
      ['t', '4'],
    ]);
  });

  it('shows no window after it was cleared', () => {
    const rows = rowsAfter([stream, windowSet('5', 60)], [stream, windowCleared(9)]);
    expect(rows.creditAccounts.get('acme-1')).to.include({ balance: '0', window: null, revision: 1 });
    expect(rows.ledger.where('account_id', 'acme-1')).to.deep.equal([]);
  });

  it('keeps every entry with its signed amount, its source and its request', () => {
    const rows = rowsAfter([stream, granted('10', '10', 1)], [stream, charged('r', '2.5', '7.5', 2)]);
    const common = { account_id: 'acme-1', session_id: null, key_id: 'key' };
    expect(rows.ledger.where('account_id', 'acme-1')).to.deep.equal([
      {
        ...common,
        entry_id: 'event-1',
        at: at(1),
        kind: 'grant',
        category: 'grant',
        amount: '10',
        balance_after: '10',
        charged_total: '0',
        reason: 'top-up',
        run_id: null,
        audio_id: null,
        request_id: 'request-1',
      },
      {
        ...common,
        entry_id: 'event-2',
        at: at(2),
        kind: 'charge',
        category: 'name_inference',
        amount: '-2.5',
        balance_after: '7.5',
        charged_total: '2.5',
        reason: 'name inference',
        run_id: 'r',
        audio_id: 'a',
        request_id: 'request-2',
      },
    ]);
  });
});
