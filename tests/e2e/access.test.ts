import { expect } from 'chai';
import * as t from 'io-ts';
import { createMedia, expectOk } from '../support/e2e/media.js';
import { expectCode, expectText } from '../support/e2e/refusal.js';
import { useTestApi } from '../support/e2e/test-api.js';
import { type HttpClient, bodyOf, httpClient } from '../support/http-client.js';
import { at } from '../support/values.js';

const Issued = t.type({ key_id: t.string, key: t.string, expires_at: t.union([t.string, t.null]) });
const own = '/v1/me/keys';

describe('accounts and keys', () => {
  let seconds = 0;
  const api = useTestApi({}, { now: () => at(seconds) });
  const issue = async (issuer: HttpClient, path: string, body?: object) => {
    const answer = await issuer.post(path, body);
    const { key, key_id, expires_at } = bodyOf(Issued, answer);
    return { key, key_id, expires_at, body: answer.body, client: httpClient(api().world.url(), key) };
  };
  const ofAccount = async (account_id: string, body?: object) => {
    await expectOk(api().admin.post('/v1/accounts', { account_id }));
    return issue(api().admin, `/v1/accounts/${account_id}/keys`, body);
  };
  const keysOf = async (account_id: string) =>
    (await expectOk(api().admin.get(`/v1/accounts/${account_id}/keys`))).body;

  it('an account is opened, listed, read by its owner, and renamed', async () => {
    const { admin } = api();
    const account = { account_id: 'acme', name: 'Acme', created_at: at(seconds) };
    expect((await expectOk(admin.post('/v1/accounts', { account_id: 'acme', name: 'Acme' }))).body).to.deep.equal(
      account,
    );
    const { client } = await issue(admin, '/v1/accounts/acme/keys');
    const renamed = { ...account, name: 'The owner' };
    expect((await expectOk(admin.patch('/v1/accounts/acme', { name: 'The owner' }))).body).to.deep.equal(renamed);
    expect((await expectOk(client.get('/v1/accounts/acme'))).body).to.deep.equal(renamed);
    expect((await expectOk(admin.get('/v1/accounts'))).body).to.containSubset({ accounts: [renamed] });
    const unchanged = await expectOk(admin.patch('/v1/accounts/acme', {}));
    expect([unchanged.body, unchanged.headers.get('X-Event-Position')]).to.deep.equal([renamed, null]);
    await expectOk(admin.patch('/v1/accounts/acme', { name: null }));
    await expectOk(admin.post('/v1/accounts'));
  });

  it('a key is shown once, works at once as X-API-Key and as bearer token, and describes itself', async () => {
    const label = { label: 'CI', admin: false, permissions: ['WORKER'] };
    const { key, key_id, body, client } = await ofAccount('shown', { label: 'CI', permissions: ['WORKER', 'WORKER'] });
    const described = { key_id, account_id: 'shown', ...label, created_at: at(seconds), expires_at: null };
    expect(body).to.deep.equal({ ...described, key });
    for (const Authorization of [`Bearer ${key}`, `bearer  ${key}`])
      await expectOk(api().anonymous.get('/v2/videos', { Authorization }));
    await expectOk(api().admin.post('/v1/accounts/shown/credits', { amount: 2.5, reason: 'test' }));
    expect((await expectOk(client.get('/v1/me'))).body).to.deep.equal({ ...described, name: null, balance: 2.5 });
    const keys = await keysOf('shown');
    expect(keys).to.containSubset({ keys: [{ ...described, revoked_at: null }] });
    expect(JSON.stringify(keys)).not.to.include(key);
  });

  it('a key issues others, for an hour by default, with no more than it has and no longer than it lives', async () => {
    const issuer = await ofAccount('issuer', { permissions: ['MEDIA_WRITE'], expires_in_seconds: 7_200 });
    const plain = await issue(issuer.client, own, { label: null, permissions: null, admin: null });
    expect(plain.body).to.deep.include({ account_id: 'issuer', label: null, admin: false, permissions: [] });
    expect(plain.expires_at).to.equal(at(seconds + 3_600));
    const refused = await issuer.client.post(own, { permissions: ['MEDIA_WRITE', 'WORKER'] });
    expectCode(refused, 401, 'not_authorised');
    expect(refused.body).to.have.nested.property('detail.permission', 'WORKER');
    expectCode(await issuer.client.post(own, { admin: true }), 401, 'not_authorised');
    const page = await issue(issuer.client, own, { permissions: ['MEDIA_WRITE'], expires_in_seconds: 36_000 });
    expect(page.expires_at).to.equal(at(seconds + 7_200));
    seconds += 7_199.999;
    await expectOk(page.client.get('/v1/me'));
    seconds += 0.001;
    for (const { client } of [issuer, page]) expectText(await client.get('/v1/me'), 401);
  });

  it('a revoked key and those that it issued are refused; a key revokes only keys that keys issued', async () => {
    const issuer = await ofAccount('revoking');
    const [page, other] = [await issue(issuer.client, own), await issue(issuer.client, own)];
    expectCode(await issuer.client.delete(`${own}/${issuer.key_id}`), 404, 'unknown_key');
    expectCode(await api().owner.delete(`${own}/${page.key_id}`), 404, 'unknown_key');
    await expectOk(page.client.delete(`${own}/${page.key_id}`));
    expectText(await page.client.get('/v1/me'), 401);
    await expectOk(other.client.get('/v1/me'));
    const revoke = () => expectOk(api().admin.delete(`/v1/accounts/revoking/keys/${issuer.key_id}`));
    const { body } = await revoke();
    expect(body).to.deep.equal({ key_id: issuer.key_id, revoked_at: at(seconds) });
    for (const { client } of [issuer, other]) expectText(await client.get('/v1/me'), 401);
    const again = await revoke();
    expect([again.body, again.headers.get('X-Event-Position')]).to.deep.equal([body, null]);
  });

  it('WORKER and MEDIA_WRITE may read what they work on, others nothing', async () => {
    const { worker, mediaWriter, stranger } = api();
    const { video, audio } = await createMedia(api(), {
      transcript: [{ speaker_id: 1, start: 0, end: 1, text: 'Hi' }],
    });
    const forWorkers = [video, `${video}/tracks`, `${video}/match-runs`, `${video}/statuses`];
    const forBoth = [audio, `${audio}/segments`, `${audio}/transcript`];
    for (const path of [...forWorkers, ...forBoth]) await expectOk(worker.get(path));
    for (const path of forBoth) await expectOk(mediaWriter.get(path));
    for (const path of forWorkers) expectCode(await mediaWriter.get(path), 401, 'not_authorised');
    for (const path of forBoth) expectCode(await stranger.get(path), 401, 'not_authorised');
    expectCode(await worker.get(`${video}/history`), 401, 'not_authorised');
  });
});
