import { expect } from 'chai';
import { statesOf } from '../../projections/audit/explain.js';
import { charged, granted, held, released, windowCleared, windowSet } from '../support/credit-events.js';
import { at } from '../support/values.js';
import { fact, recorded, rowsAfter } from './given.js';

const opened = fact('AccountOpened', { account_id: 'o1', name: 'Owner', at: at(1) });
const key = { key_id: 'k1', account_id: 'o1', key_hash: 'h1', label: null, admin: false, permissions: ['WORKER'] };
const issued = fact('ApiKeyIssued', { ...key, at: at(2) });
const revoked = fact('ApiKeyRevoked', { key_id: 'k1', at: at(3) });
const after = (...events: ReadonlyArray<typeof opened>) =>
  rowsAfter(...events.map((event) => ['account-o1', event] as const));
const adminKeys = (...events: ReadonlyArray<typeof opened>) => after(...events).apiKeys.where('admin_of', 'o1').length;

describe('projection: access', () => {
  it('shows an account with its newest name', () => {
    const account = { account_id: 'o1', name: 'Owner', created_at: at(1) };
    expect(after(opened).accounts.get('o1')).to.deep.equal(account);
    const renamed = fact('AccountRenamed', { account_id: 'o1', name: null, at: at(2) });
    expect(after(opened, renamed).accounts.get('o1')).to.deep.equal({ ...account, name: null });
  });

  it('shows a key, by its hash too, and when it was revoked', () => {
    const view = { ...key, made_by: null, expires_at: null, created_at: at(2), revoked_at: null };
    expect(after(opened, issued).apiKeys.get('k1')).to.deep.equal(view);
    expect(after(opened, issued).apiKeys.where('key_hash', 'h1')).to.deep.equal([view]);
    expect(after(opened, issued, revoked).apiKeys.get('k1')).to.deep.equal({ ...view, revoked_at: at(3) });
  });

  it('forgets the oldest expired keys that keys made, and none that an administrator made', () => {
    const made = Array.from({ length: 202 }, (_, n) =>
      fact('ApiKeyIssued', {
        ...key,
        key_id: `made-${n}`,
        key_hash: `hash-${n}`,
        made_by: 'k1',
        expires_at: at(3 + n),
        at: at(2 + n),
      }),
    );
    const rows = after(opened, issued, revoked, ...made).apiKeys;
    expect(rows.get('made-0')).to.equal(undefined);
    expect(rows.get('made-1')?.key_hash).to.equal('hash-1');
    expect(rows.get('k1')?.revoked_at).to.equal(at(3));
  });

  it('finds admin keys until they are revoked', () => {
    const admin = fact('ApiKeyIssued', { ...key, admin: true, at: at(2) });
    expect([adminKeys(issued), adminKeys(admin), adminKeys(admin, revoked)]).to.deep.equal([0, 1, 0]);
  });
});

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

  it('counts and sums the charges of each hour', () => {
    const charges = [charged('r', '2.5', '7.5', 2), charged('s', '1', '6.5', 3_599), charged('t', '1', '5.5', 3_600)];
    const rows = rowsAfter([stream, granted('10')], ...charges.map((event) => [stream, event] as const)).usage.all();
    expect(rows.map(({ hour, charges: count, amount }) => [hour, count, amount])).to.deep.equal([
      ['2026-01-01T12', 2, '3.5'],
      ['2026-01-01T13', 1, '1'],
    ]);
  });
});

describe('a credit account in the audit', () => {
  it('stands after each event with its balance, spending window and holds', () => {
    const events = [
      granted('10'),
      windowSet('5', 60),
      held('r', '2', 90),
      held('s', '2', 90),
      released('s'),
      charged('r', '2', '8'),
      windowCleared(9),
    ];
    const window = { limit: '5', period_seconds: 60 };
    const hold = { amount: '2', lapses_at: at(90) };
    expect(statesOf(recorded(events.map((event) => [stream, event]))).map(({ state }) => state)).to.deep.equal([
      { balance: '10', window: null, holds: {} },
      { balance: '10', window, holds: {} },
      { balance: '10', window, holds: { r: hold } },
      { balance: '10', window, holds: { r: hold, s: hold } },
      { balance: '10', window, holds: { r: hold } },
      { balance: '8', window, holds: {} },
      { balance: '8', window: null, holds: {} },
    ]);
  });
});
