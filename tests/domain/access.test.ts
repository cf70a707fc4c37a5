import { expect } from 'chai';
import { type AccessCommand, type AccessEvent, RetentionDays } from '../../domain/access/contract.js';
import { access, isLiveKey } from '../../domain/access/decider.js';
import { specification } from '../support/specification.js';
import { accountId, at, keyId } from '../support/values.js';

const account = specification(access, (command: AccessCommand) =>
  command.type === 'OpenAccount' || command.type === 'IssueApiKey' ? null : command,
);

const opened: AccessEvent = { type: 'AccountOpened', data: { account_id: accountId('a'), name: 'Ann', at: at(0) } };
const key = {
  key_id: keyId('k'),
  key_hash: 'hash',
  label: null,
  admin: false,
  permissions: ['WORKER'],
  expires_at: null,
  made_by: null,
  at: at(1),
} as const;
const issued: AccessEvent = { type: 'ApiKeyIssued', data: { ...key, account_id: accountId('a') } };
const revoked: AccessEvent = { type: 'ApiKeyRevoked', data: { key_id: keyId('k'), at: at(2) } };
const open: AccessCommand = { type: 'OpenAccount', account_id: accountId('a'), name: 'Ann', at: at(0) };
const revoke: AccessCommand = { type: 'RevokeApiKey', key_id: keyId('k'), made_alone: false, at: at(2) };

describe('accounts and keys (5)', () => {
  it('an account is opened', () => account.given().when(open).then(opened));
  it('an account that exists is refused', () =>
    account
      .given(opened)
      .when(open)
      .thenRefused({ _tag: 'AccountExists', account_id: accountId('a') }));
  it('an account is renamed, and nothing is written if it has that name', () => {
    const rename = (name: string | null | undefined): AccessCommand => ({ type: 'RenameAccount', name, at: at(3) });
    const renamed = (name: string | null): AccessEvent => ({
      type: 'AccountRenamed',
      data: { account_id: accountId('a'), name, at: at(3) },
    });
    account.given(opened).cases([rename('Bea'), [renamed('Bea')]], [rename(null), [renamed(null)]]);
    for (const same of ['Ann', undefined]) account.given(opened).when(rename(same)).thenNothing();
    account.given(opened, renamed('Bea')).when(rename('Ann')).then(renamed('Ann'));
    account.given().when(rename('Bea')).thenRefused({ _tag: 'UnknownAccount' });
  });
  it('a key is issued to an account', () =>
    account
      .given(opened)
      .when({ type: 'IssueApiKey', ...key, replace: false })
      .then(issued));
  it('no key is issued without an account', () =>
    account
      .given()
      .when({ type: 'IssueApiKey', ...key, replace: false })
      .thenRefused({ _tag: 'UnknownAccount' }));
  it('a key is revoked', () => account.given(opened, issued).when(revoke).then(revoked));
  it('revoking a key twice changes nothing', () => account.given(opened, issued, revoked).when(revoke).thenNothing());
  it('revoking an unknown key is refused', () =>
    account.given(opened).when(revoke).thenRefused({ _tag: 'UnknownKey' }));
  it('revoking a key without an account is refused', () =>
    account.given().when(revoke).thenRefused({ _tag: 'UnknownAccount' }));
});

describe('retention of an account', () => {
  const set = (days: number | null): AccessCommand => ({ type: 'SetRetention', days, at: at(3) });
  const wasSet = (days: number | null): AccessEvent => ({
    type: 'RetentionSet',
    data: { account_id: accountId('a'), days, at: at(3) },
  });
  it('is set', () => account.given(opened).when(set(30)).then(wasSet(30)));
  account.given(opened, wasSet(30)).tests({
    'is changed': [set(7), [wasSet(7)]],
    'is removed': [set(null), [wasSet(null)]],
    'does not change when set to the same value': [set(30), []],
  });
  it('is not removed if it was never set', () => account.given(opened).when(set(null)).thenNothing());
  it('accepts 1 to 36,500 whole days', () => {
    for (const days of [1, 36_500]) expect(RetentionDays.is(days), `${days}`).to.equal(true);
    for (const days of [0, -1, 36_501, 1.5, Number.NaN, '7']) expect(RetentionDays.is(days), `${days}`).to.equal(false);
  });
  it('needs an account', () => account.given().when(set(30)).thenRefused({ _tag: 'UnknownAccount' }));
});

const made = (id: string, made_by: string, seconds = 2, expires = 3_600): AccessEvent => ({
  type: 'ApiKeyIssued',
  data: {
    ...key,
    key_id: keyId(id),
    account_id: accountId('a'),
    expires_at: at(expires),
    made_by: keyId(made_by),
    at: at(seconds),
  },
});
const make = (id: string, made_by: string, seconds = 2, expires = 3_600, replace = false): AccessCommand => ({
  type: 'IssueApiKey',
  ...key,
  replace,
  key_id: keyId(id),
  expires_at: at(expires),
  made_by: keyId(made_by),
  at: at(seconds),
});
const labelled = (label: string, event: AccessEvent): AccessEvent =>
  event.type === 'ApiKeyIssued' ? { ...event, data: { ...event.data, label } } : event;
const revokedByMaker = (id: string, seconds: number): AccessEvent => ({
  type: 'ApiKeyRevoked',
  data: { key_id: keyId(id), at: at(seconds) },
});
const revokeIt = (id: string, seconds: number, made_alone = false): AccessCommand => ({
  type: 'RevokeApiKey',
  key_id: keyId(id),
  made_alone,
  at: at(seconds),
});

describe('a key of an account', () => {
  const isLiveAt = (seconds: number, id: string, ...events: ReadonlyArray<AccessEvent>): boolean =>
    isLiveKey(account.given(...events).state(), keyId(id), at(seconds));

  it('is active until it is revoked or expires', () => {
    expect(isLiveAt(9, 'k', opened, issued)).to.equal(true);
    expect(isLiveAt(9, 'k', opened, issued, revoked)).to.equal(false);
    expect(isLiveAt(59, 'm', opened, issued, made('m', 'k', 2, 60))).to.equal(true);
    expect(isLiveAt(60, 'm', opened, issued, made('m', 'k', 2, 60))).to.equal(false);
  });

  it('is not active if unknown, and always active for the environment', () => {
    expect(isLiveAt(9, 'other', opened, issued)).to.equal(false);
    expect(isLiveAt(9, 'k')).to.equal(false);
    expect(isLiveAt(9, 'environment:1')).to.equal(true);
  });

  it('is ignored before its account is opened and after the key was forgotten', () => {
    expect(account.given(issued).state()).to.deep.equal(access.initial);
    expect(account.given(opened, revoked).state()).to.deep.equal(account.given(opened).state());
  });
});

describe('self-issued keys', () => {
  it('are issued while the issuing key is active', () => {
    account.given(opened, issued).when(make('m', 'k')).then(made('m', 'k'));
    account
      .given(opened, issued, made('m', 'k'))
      .when(make('n', 'm', 3))
      .then(made('n', 'm', 3));
    for (const maker of [revoked, revokedByMaker('k', 2)])
      account
        .given(opened, issued, maker)
        .when(make('m', 'k', 3))
        .thenRefused({ _tag: 'IssuerRevoked' });
    account
      .given(opened, issued, made('m', 'k', 2, 60))
      .when(make('n', 'm', 60))
      .thenRefused({ _tag: 'IssuerRevoked' });
    account
      .given(opened)
      .cases(
        [make('m', 'nobody'), { _tag: 'IssuerRevoked' }],
        [make('m', 'environment:1'), [made('m', 'environment:1')]],
      );
  });

  it('are revoked with their issuer, and so are the keys they issued', () =>
    account
      .given(opened, issued, made('m', 'k'), made('n', 'm'), made('other', 'environment:1'))
      .when(revoke)
      .then(revokedByMaker('k', 2), revokedByMaker('m', 2), revokedByMaker('n', 2)));

  it('that were revoked before stay unchanged', () =>
    account
      .given(opened, issued, made('m', 'k'), made('n', 'm'), revokedByMaker('m', 3), revokedByMaker('n', 3))
      .when(revokeIt('k', 4))
      .then(revokedByMaker('k', 4)));

  it('are the only ones found if the command is limited to them', () => {
    account
      .given(opened, issued, made('m', 'k'))
      .cases([revokeIt('k', 3, true), { _tag: 'UnknownKey' }], [revokeIt('m', 3, true), [revokedByMaker('m', 3)]]);
  });

  it('are limited to a hundred active ones', () => {
    const many = Array.from({ length: 100 }, (_, index) => made(`m${index}`, 'k', 2, 60 + index));
    const given = account.given(opened, issued, ...many);
    given.cases([make('n', 'k', 59), { _tag: 'TooManyKeys', most: 100 }], [make('n', 'k', 60), [made('n', 'k', 60)]]);
    account
      .given(opened, issued, ...many, revokedByMaker('m7', 3))
      .when(make('n', 'k', 4))
      .then(made('n', 'k', 4));
    given.when({ type: 'IssueApiKey', ...key, key_id: keyId('issued'), replace: false }).thenEvents();
  });

  it('replace the active ones with the same label and issuer, and what these issued, if requested', () => {
    const given = account.given(
      opened,
      issued,
      made('m', 'k'),
      made('n', 'm'),
      made('expired', 'k', 2, 4),
      labelled('page', made('p', 'k')),
      made('o', 'environment:1'),
    );
    given.cases(
      [make('new', 'k', 5, 3_600, true), [revokedByMaker('m', 5), revokedByMaker('n', 5), made('new', 'k', 5)]],
      [make('new', 'm', 5, 3_600, true), [revokedByMaker('n', 5), made('new', 'm', 5)]],
      [make('new', 'n', 5, 3_600, true), [made('new', 'n', 5)]],
      [make('new', 'nobody', 5, 3_600, true), { _tag: 'IssuerRevoked' }],
    );
  });

  it('that are replaced do not count towards the hundred', () => {
    const many = Array.from({ length: 99 }, (_, index) => labelled(`l${index}`, made(`m${index}`, 'k')));
    const given = account.given(opened, issued, ...many, made('m', 'k'));
    given.cases(
      [make('n', 'k', 3, 3_600, true), [revokedByMaker('m', 3), made('n', 'k', 3)]],
      [make('n', 'm', 3, 3_600, true), { _tag: 'TooManyKeys', most: 100 }],
    );
  });

  it('are forgotten when many are inactive, oldest first', () => {
    const many = Array.from({ length: 500 }, (_, index) => made(`m${index}`, 'k', index, index + 60));
    const state = account.given(opened, issued, ...many).state();
    if (state._tag !== 'Open') throw new Error('not open');
    expect([state.keys.size, state.keys.has(keyId('k')), state.keys.has(keyId('m0'))]).to.deep.equal([
      261,
      true,
      false,
    ]);
    const dead = account.given(opened, issued, revoked, ...many).state();
    expect(dead._tag === 'Open' && dead.keys.has(keyId('k')), 'one that an administrator issued').to.equal(true);
  });

  it('of a former administrator key of the environment are revoked', () => {
    const given = [opened, made('m', 'environment:old'), made('n', 'm'), made('o', 'environment:new')];
    const retire = (current: string | null): AccessCommand => ({
      type: 'RetireEnvironmentKeys',
      current: current === null ? null : keyId(current),
      at: at(5),
    });
    account
      .given(...given)
      .cases(
        [retire('environment:new'), [revokedByMaker('m', 5), revokedByMaker('n', 5)]],
        [retire(null), [revokedByMaker('m', 5), revokedByMaker('n', 5), revokedByMaker('o', 5)]],
      );
    for (const current of [null, 'environment:new']) account.given(opened, issued).when(retire(current)).thenNothing();
  });
});
