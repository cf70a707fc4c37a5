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

  it('a key issues others, without permissions and for an hour by default, and none with more than it has', async () => {
    const { client } = await ofAccount('issuer', { permissions: ['MEDIA_WRITE'] });
    const plain = await issue(client, own, { label: null, permissions: null, admin: null });
    expect(plain.body).to.deep.include({ account_id: 'issuer', label: null, admin: false, permissions: [] });
    expect(plain.expires_at).to.equal(at(seconds + 3_600));
    const page = await issue(client, own, { label: 'page', permissions: ['MEDIA_WRITE'], expires_in_seconds: 60 });
    expect((await expectOk(page.client.get('/v1/me'))).body).to.deep.include({
      label: 'page',
      permissions: ['MEDIA_WRITE'],
      expires_at: at(seconds + 60),
    });
    const refused = await client.post(own, { permissions: ['MEDIA_WRITE', 'WORKER'] });
    expectCode(refused, 401, 'not_authorised');
    expect(refused.body).to.have.nested.property('detail.permission', 'WORKER');
    expectCode(await client.post(own, { admin: true }), 401, 'not_authorised');
    const admin = await issue(api().admin, own, { admin: true, permissions: ['WORKER'] });
    expect((await expectOk(admin.client.get('/v1/me'))).body).to.deep.include({ admin: true });
  });

  it('no key outlives its end, its revocation, nor those of its issuer', async () => {
    const issuer = await ofAccount('ending', { expires_in_seconds: 90 });
    const first = await issue(issuer.client, own, { expires_in_seconds: 3_600 });
    expect([issuer.expires_at, first.expires_at]).to.deep.equal([at(seconds + 90), at(seconds + 90)]);
    seconds += 89.999;
    await expectOk(first.client.get('/v1/me'));
    seconds += 0.001;
    for (const { client } of [issuer, first]) expectText(await client.get('/v1/me'), 401);

    const path = '/v1/accounts/revoking';
    const { key_id, client } = await ofAccount('revoking');
    const second = await issue(client, own);
    const third = await issue(second.client, own);
    await expectOk(third.client.get('/v1/me'));
    const { body } = await expectOk(api().admin.delete(`${path}/keys/${key_id}`));
    expect(body).to.deep.equal({ key_id, revoked_at: at(seconds) });
    for (const one of [client, second.client, third.client]) expectText(await one.get('/v1/me'), 401);
    expect(JSON.stringify(await keysOf('revoking'))).not.to.include('"revoked_at":null');
    const again = await expectOk(api().admin.delete(`${path}/keys/${key_id}`));
    expect([again.body, again.headers.get('X-Event-Position')]).to.deep.equal([body, null]);
  });

  it('DELETE of one’s own keys revokes only those that were issued by keys, also the calling one', async () => {
    const { client, key_id } = await ofAccount('self');
    const [page, other] = [await issue(client, own), await issue(client, own)];
    expectCode(await client.delete(`${own}/${key_id}`), 404, 'unknown_key');
    expectCode(await api().owner.delete(`${own}/${page.key_id}`), 404, 'unknown_key');
    const { body } = await expectOk(client.delete(`${own}/${other.key_id}`));
    expect((await expectOk(client.delete(`${own}/${other.key_id}`))).body).to.deep.equal(body);
    await expectOk(page.client.delete(`${own}/${page.key_id}`));
    expectText(await page.client.get('/v1/me'), 401);
    await expectOk(client.get('/v1/me'));
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
