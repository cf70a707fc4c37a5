import { expect } from 'chai';
import { at, fact, rowsAfter } from './given.js';

const opened = fact('AccountOpened', { account_id: 'o1', name: 'Owner', at: at(1) });
const key = { key_id: 'k1', account_id: 'o1', key_hash: 'h1', label: null, admin: false, permissions: ['WORKER'] };
const issued = fact('ApiKeyIssued', { ...key, at: at(2) });
const revoked = fact('ApiKeyRevoked', { key_id: 'k1', at: at(3) });
const after = (...events: ReadonlyArray<typeof opened>) =>
  rowsAfter(...events.map((event) => ['account-o1', event] as const));
const adminKeys = (...events: ReadonlyArray<typeof opened>) => after(...events).apiKeys.where('admin_of', 'o1').length;

describe('projection: access', () => {
  it('shows an account', () =>
    expect(after(opened).accounts.get('o1')).to.deep.equal({ account_id: 'o1', name: 'Owner', created_at: at(1) }));

  it('shows the newest name of an account', () => {
    const renamed = fact('AccountRenamed', { account_id: 'o1', name: null, at: at(2) });
    expect(after(opened, renamed).accounts.get('o1')).to.deep.equal({
      account_id: 'o1',
      name: null,
      created_at: at(1),
    });
  });

  it('shows a key, by its hash too, and when it was revoked', () => {
    const view = { ...key, made_by: null, expires_at: null, is_listed: true, created_at: at(2), revoked_at: null };
    expect(after(opened, issued).apiKeys.get('k1')).to.deep.equal(view);
    expect(after(opened, issued).apiKeys.where('key_hash', 'h1')).to.deep.equal([view]);
    expect(after(opened, issued, revoked).apiKeys.get('k1')).to.deep.equal({ ...view, revoked_at: at(3) });
  });

  it('finds admin keys until they are revoked', () => {
    const admin = fact('ApiKeyIssued', { ...key, admin: true, at: at(2) });
    expect([adminKeys(issued), adminKeys(admin), adminKeys(admin, revoked)]).to.deep.equal([0, 1, 0]);
  });
});
