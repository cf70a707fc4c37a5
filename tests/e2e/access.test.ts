import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import * as t from 'io-ts';
import { useTestApi } from '../support/e2e/test-api.js';
import { expectOk } from '../support/e2e/media.js';
import { expectText } from '../support/e2e/refusal.js';
import { bodyOf, httpClient } from '../support/http-client.js';

const Issued = t.type({ key_id: t.string, key: t.string });
const AccountPage = t.type({
  accounts: t.array(t.type({ account_id: t.string, name: t.union([t.string, t.null]), created_at: t.string })),
  next_cursor: t.union([t.string, t.null]),
});
const Listed = t.type({ keys: t.array(t.intersection([t.type({ key_id: t.string }), t.UnknownRecord])) });
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('accounts and keys', () => {
  const api = useTestApi();
  const issue = async (account_id: string, body?: object) =>
    bodyOf(Issued, await api().admin.post(`/v1/accounts/${account_id}/keys`, body));
  const withKey = (key: string) => httpClient(api().world.url(), key);

  it('an account is opened, and the answer shows it', async () => {
    const answer = await api().admin.post('/v1/accounts', { account_id: 'acme', name: 'Acme' });
    const { created_at } = bodyOf(t.type({ created_at: t.string }), answer);
    expect(created_at).to.match(timestamp);
    expect(answer.body).to.deep.equal({ account_id: 'acme', name: 'Acme', created_at });
    expect((await expectOk(api().admin.post('/v1/accounts'))).body).to.have.all.keys(
      'account_id',
      'name',
      'created_at',
    );
  });

  it('accounts are listed by id, page by page, read by their owner, and renamed', async () => {
    const { admin, owner } = api();
    for (const account_id of ['zz-last', 'a-first', 'm-between'])
      await expectOk(admin.post('/v1/accounts', { account_id }));
    const page = async (query: string) => bodyOf(AccountPage, await admin.get(`/v1/accounts?${query}`));
    const all = await page('limit=1000');
    const ids = all.accounts.map(({ account_id }) => account_id);
    expect(ids).to.include.members(['zz-last', 'a-first', 'm-between', 'owner']);
    expect([ids, all.next_cursor]).to.deep.equal([ids.toSorted((one, other) => (one < other ? -1 : 1)), null]);
    const pages: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { accounts, next_cursor } = await page(`limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
      pages.push(...accounts.map(({ account_id }) => account_id));
      cursor = next_cursor;
    }
    expect(pages).to.deep.equal(ids);

    const path = '/v1/accounts/owner';
    const { body } = await expectOk(owner.get(path));
    const before = all.accounts.find(({ account_id }) => account_id === 'owner');
    expect(body).to.deep.equal(before);
    const renamed = { ...before, name: 'The owner' };
    expect((await expectOk(admin.patch(path, { name: 'The owner' }))).body).to.deep.equal(renamed);
    expect((await expectOk(owner.get(path))).body).to.deep.equal(renamed);
    expect((await page('limit=1000')).accounts).to.deep.include(renamed);
    expect((await expectOk(owner.get('/v1/me'))).body).to.deep.include({ name: 'The owner' });
    const unchanged = await expectOk(admin.patch(path, {}));
    expect([unchanged.body, unchanged.headers.get('x-event-position')]).to.deep.equal([renamed, null]);
    expect((await expectOk(admin.patch(path, { name: null }))).body).to.deep.equal({ ...before, name: null });
  });

  it('a key is shown once, works at once as X-API-Key and as bearer token, and is listed without its secret', async () => {
    const { body } = await expectOk(
      api().admin.post('/v1/accounts/stranger/keys', { label: 'CI', permissions: ['WORKER', 'WORKER'] }),
    );
    expect(body).to.have.all.keys(
      'key_id',
      'key',
      'account_id',
      'label',
      'admin',
      'permissions',
      'created_at',
      'expires_at',
    );
    expect(body).to.deep.include({ account_id: 'stranger', label: 'CI', admin: false, permissions: ['WORKER'] });
    const { key, key_id } = await issue('stranger');
    await expectOk(withKey(key).get('/v2/videos'));
    for (const Authorization of [`Bearer ${key}`, `bearer  ${key}`])
      await expectOk(api().anonymous.get('/v2/videos', { Authorization }));
    const answer = await expectOk(api().admin.get('/v1/accounts/stranger/keys'));
    expect(answer.text).not.to.include(key);
    const listed = bodyOf(Listed, answer).keys.find((one) => one.key_id === key_id);
    expect(listed).to.have.all.keys(
      'key_id',
      'account_id',
      'label',
      'admin',
      'permissions',
      'created_at',
      'expires_at',
      'made_by',
      'revoked_at',
    );
    expect(listed).to.include({ label: null, revoked_at: null });
  });

  it('a revoked key is refused from the next request on, again and again', async () => {
    const { key, key_id } = await issue('stranger');
    await expectOk(withKey(key).get('/v2/videos'));
    const { body } = await expectOk(api().admin.delete(`/v1/accounts/stranger/keys/${key_id}`));
    expectText(await withKey(key).get('/v2/videos'), 401);
    expect(body).to.have.all.keys('key_id', 'revoked_at');
    const again = await expectOk(api().admin.delete(`/v1/accounts/stranger/keys/${key_id}`));
    expect(again.body).to.deep.equal(body);
    expect(again.headers.get('X-Event-Position')).to.equal(null);
    const { keys } = bodyOf(Listed, await api().admin.get('/v1/accounts/stranger/keys'));
    expect(keys.find((one) => one.key_id === key_id)?.['revoked_at']).to.match(timestamp);
  });

  it('no key is stored in any file', async () => {
    const { key } = await issue('owner');
    for (const file of await readdir(api().world.dataDir)) {
      const bytes = await readFile(join(api().world.dataDir, file));
      for (const secret of [key, api().world.adminKey]) expect(bytes.includes(secret), file).to.equal(false);
    }
  });
});
