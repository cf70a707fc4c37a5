import type { AccessCommand, AccessEvent } from '../../domain/access/contract.js';
import { access } from '../../domain/access/decider.js';
import { specification } from '../support/specification.js';
import { accountId, at, keyId } from '../support/values.js';

const account = specification(access, (command: AccessCommand) => (command.type === 'RevokeApiKey' ? command : null));

const opened: AccessEvent = { type: 'AccountOpened', data: { account_id: accountId('a'), name: 'Ann', at: at(0) } };
const key = {
  key_id: keyId('k'),
  key_hash: 'hash',
  label: null,
  admin: false,
  permissions: ['WORKER'],
  at: at(1),
} as const;
const issued: AccessEvent = { type: 'ApiKeyIssued', data: { ...key, account_id: accountId('a') } };
const revoked: AccessEvent = { type: 'ApiKeyRevoked', data: { key_id: keyId('k'), at: at(2) } };
const open: AccessCommand = { type: 'OpenAccount', account_id: accountId('a'), name: 'Ann', at: at(0) };
const revoke: AccessCommand = { type: 'RevokeApiKey', key_id: keyId('k'), at: at(2) };

describe('accounts and keys (5)', () => {
  it('an account is opened', () => account.given().when(open).then(opened));
  it('an account that exists is refused', () =>
    account
      .given(opened)
      .when(open)
      .thenRefused({ _tag: 'AccountExists', account_id: accountId('a') }));
  it('a key is issued to an account', () =>
    account
      .given(opened)
      .when({ type: 'IssueApiKey', ...key })
      .then(issued));
  it('no key is issued to no account', () =>
    account
      .given()
      .when({ type: 'IssueApiKey', ...key })
      .thenRefused({ _tag: 'UnknownAccount' }));
  it('a key is revoked', () => account.given(opened, issued).when(revoke).then(revoked));
  it('a revoked key stays revoked', () => account.given(opened, issued, revoked).when(revoke).thenNothing());
  it('a key that is not there is refused', () =>
    account.given(opened).when(revoke).thenRefused({ _tag: 'UnknownKey' }));
  it('no key of no account', () => account.given().when(revoke).thenRefused({ _tag: 'UnknownAccount' }));
});
