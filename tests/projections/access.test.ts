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
