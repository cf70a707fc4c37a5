import { expect } from 'chai';
import { type AccessCommand, type AccessEvent, type IssueApiKey, RetentionDays } from '../../domain/access/contract.js';
import { access, isLiveKey } from '../../domain/access/decider.js';
import { specification } from '../support/specification.js';
import { accountId, at, keyId } from '../support/values.js';

const account = specification(access, (command: AccessCommand) =>
  command.type === 'OpenAccount' || command.type === 'IssueApiKey' ? null : command,
);

const opened: AccessEvent = { type: 'AccountOpened', data: { account_id: accountId('a'), name: 'Ann', at: at(0) } };
const issue: IssueApiKey = {
  type: 'IssueApiKey',
  key_id: keyId('k'),
  key_hash: 'hash',
  label: null,
  admin: false,
  permissions: ['WORKER'],
  expires_at: null,
  made_by: null,
  replace: false,
  at: at(1),
};
const issuedBy = ({ type: _type, replace: _replace, ...key }: IssueApiKey): AccessEvent => ({
  type: 'ApiKeyIssued',
  data: { ...key, account_id: accountId('a') },
});
const issued = issuedBy(issue);
const revoked = (id = 'k', seconds = 2): AccessEvent => ({
  type: 'ApiKeyRevoked',
  data: { key_id: keyId(id), at: at(seconds) },
});
const open: AccessCommand = { type: 'OpenAccount', account_id: accountId('a'), name: 'Ann', at: at(0) };
const revoke = (id = 'k', seconds = 2, made_alone = false): AccessCommand => ({
  type: 'RevokeApiKey',
  key_id: keyId(id),
  made_alone,
  at: at(seconds),
});

const unknownAccount = { _tag: 'UnknownAccount' } as const;

describe('accounts and keys (5)', () => {
  it('an account is opened once', () => {
    account.given().cases([open, [opened]]);
    account.given(opened).cases([open, { _tag: 'AccountExists', account_id: accountId('a') }]);
  });
  it('an account is renamed, and nothing is written if it has that name', () => {
    const rename = (name: string | null | undefined): AccessCommand => ({ type: 'RenameAccount', name, at: at(3) });
    const renamed = (name: string | null): AccessEvent => ({
      type: 'AccountRenamed',
      data: { account_id: accountId('a'), name, at: at(3) },
    });
    account
      .given(opened)
      .cases(
        [rename('Bea'), [renamed('Bea')]],
        [rename(null), [renamed(null)]],
        [rename('Ann'), []],
        [rename(undefined), []],
      );
    account.given(opened, renamed('Bea')).cases([rename('Ann'), [renamed('Ann')]]);
    account.given().cases([rename('Bea'), unknownAccount]);
  });
  it('a key is issued to an account', () => {
    account.given(opened).cases([issue, [issued]]);
    account.given().cases([issue, unknownAccount]);
  });
  it('a key is revoked(), once', () => {
    account.given(opened, issued).cases([revoke(), [revoked()]]);
    account.given(opened, issued, revoked()).cases([revoke(), []]);
    account.given(opened).cases([revoke(), { _tag: 'UnknownKey' }]);
    account.given().cases([revoke(), unknownAccount]);
  });
});

describe('retention of an account', () => {
  const set = (days: number | null): AccessCommand => ({ type: 'SetRetention', days, at: at(3) });
  const wasSet = (days: number | null): AccessEvent => ({
    type: 'RetentionSet',
    data: { account_id: accountId('a'), days, at: at(3) },
  });
  it('is set, changed and removed, and nothing is written if it is so already', () => {
    account.given(opened).cases([set(30), [wasSet(30)]], [set(null), []]);
    account.given(opened, wasSet(30)).cases([set(7), [wasSet(7)]], [set(null), [wasSet(null)]], [set(30), []]);
    account.given().cases([set(30), unknownAccount]);
  });
  it('accepts 1 to 36,500 whole days', () => {
    for (const days of [1, 36_500]) expect(RetentionDays.is(days), `${days}`).to.equal(true);
    for (const days of [0, -1, 36_501, 1.5, Number.NaN, '7']) expect(RetentionDays.is(days), `${days}`).to.equal(false);
  });
});

/** A key that another one issues, or that replaces others. */
const make = (id: string, made_by: string, seconds = 2, expires = 3_600, replace = false): IssueApiKey => ({
  ...issue,
  replace,
  key_id: keyId(id),
  expires_at: at(expires),
  made_by: keyId(made_by),
  at: at(seconds),
});
const made = (...parts: Parameters<typeof make>): AccessEvent => issuedBy(make(...parts));
const labelled = (label: string, command: IssueApiKey): AccessEvent => issuedBy({ ...command, label });

describe('a key of an account', () => {
  const isLiveAt = (seconds: number, id: string, ...events: ReadonlyArray<AccessEvent>): boolean =>
    isLiveKey(account.given(...events).state(), keyId(id), at(seconds));

  it('is active until it is revoked or expires', () => {
    expect(isLiveAt(9, 'k', opened, issued)).to.equal(true);
    expect(isLiveAt(9, 'k', opened, issued, revoked())).to.equal(false);
    expect(isLiveAt(59, 'm', opened, issued, made('m', 'k', 2, 60))).to.equal(true);
    expect(isLiveAt(60, 'm', opened, issued, made('m', 'k', 2, 60))).to.equal(false);
  });

  it('is not active if unknown, and always active for the environment', () => {
    expect(isLiveAt(9, 'other', opened, issued)).to.equal(false);
    expect(isLiveAt(9, 'k')).to.equal(false);
    expect(isLiveAt(9, 'environment:1')).to.equal(true);
  });
});

describe('self-issued keys', () => {
  it('are issued while the issuing key is active', () => {
    const refusal = { _tag: 'IssuerRevoked' } as const;
    account.given(opened, issued).cases([make('m', 'k'), [made('m', 'k')]]);
    account.given(opened, issued, made('m', 'k')).cases([make('n', 'm', 3), [made('n', 'm', 3)]]);
    account.given(opened, issued, revoked()).cases([make('m', 'k', 3), refusal]);
    account.given(opened, issued, made('m', 'k', 2, 60)).cases([make('n', 'm', 60), refusal]);
    account
      .given(opened)
      .cases([make('m', 'nobody'), refusal], [make('m', 'environment:1'), [made('m', 'environment:1')]]);
  });

  it('are revoked with their issuer, and so are the keys they issued, unless they were before', () => {
    const keys = [opened, issued, made('m', 'k'), made('n', 'm'), made('other', 'environment:1')];
    account.given(...keys).cases([revoke(), [revoked('k', 2), revoked('m', 2), revoked('n', 2)]]);
    const before = [revoked('m', 3), revoked('n', 3)];
    account.given(...keys, ...before).cases([revoke('k', 4), [revoked('k', 4)]]);
  });

  it('are the only ones found if the command is limited to them', () => {
    account
      .given(opened, issued, made('m', 'k'))
      .cases([revoke('k', 3, true), { _tag: 'UnknownKey' }], [revoke('m', 3, true), [revoked('m', 3)]]);
  });

  it('are limited to a hundred active ones', () => {
    const many = Array.from({ length: 100 }, (_, index) => made(`m${index}`, 'k', 2, 60 + index));
    const given = account.given(opened, issued, ...many);
    given.cases([make('n', 'k', 59), { _tag: 'TooManyKeys', most: 100 }], [make('n', 'k', 60), [made('n', 'k', 60)]]);
    account.given(opened, issued, ...many, revoked('m7', 3)).cases([make('n', 'k', 4), [made('n', 'k', 4)]]);
    given.events({ ...issue, key_id: keyId('issued') });
  });

  it('replace the active ones with the same label and issuer, and what these issued, if requested', () => {
    const given = account.given(
      opened,
      issued,
      made('m', 'k'),
      made('n', 'm'),
      made('expired', 'k', 2, 4),
      labelled('page', make('p', 'k')),
      made('o', 'environment:1'),
    );
    given.cases(
      [make('new', 'k', 5, 3_600, true), [revoked('m', 5), revoked('n', 5), made('new', 'k', 5)]],
      [make('new', 'm', 5, 3_600, true), [revoked('n', 5), made('new', 'm', 5)]],
      [make('new', 'n', 5, 3_600, true), [made('new', 'n', 5)]],
      [make('new', 'nobody', 5, 3_600, true), { _tag: 'IssuerRevoked' }],
    );
  });

  it('that are replaced do not count towards the hundred', () => {
    const many = Array.from({ length: 99 }, (_, index) => labelled(`l${index}`, make(`m${index}`, 'k')));
    const given = account.given(opened, issued, ...many, made('m', 'k'));
    given.cases(
      [make('n', 'k', 3, 3_600, true), [revoked('m', 3), made('n', 'k', 3)]],
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
    const dead = account.given(opened, issued, revoked(), ...many).state();
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
        [retire('environment:new'), [revoked('m', 5), revoked('n', 5)]],
        [retire(null), [revoked('m', 5), revoked('n', 5), revoked('o', 5)]],
      );
    for (const current of [null, 'environment:new']) account.given(opened, issued).cases([retire(current), []]);
  });
});
