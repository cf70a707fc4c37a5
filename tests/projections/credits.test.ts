import { expect } from 'chai';
import { charged, granted } from '../support/credit-events.js';
import { at } from '../support/values.js';
import { rowsAfter } from './given.js';

const stream = 'creditAccount-acme-1';

describe('the credits projection', () => {
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
        reason: 'name inference',
        run_id: 'r',
        audio_id: 'a',
        request_id: 'request-2',
      },
    ]);
  });
});
