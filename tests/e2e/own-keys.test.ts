import { expect } from 'chai';
import * as t from 'io-ts';
import { useTestApi } from '../support/e2e/test-api.js';
import { expectOk } from '../support/e2e/media.js';
import { expectCode, expectText } from '../support/e2e/refusal.js';
import { type HttpClient, bodyOf, httpClient } from '../support/http-client.js';
import { at } from '../support/values.js';

const Made = t.type({ key_id: t.string, key: t.string, expires_at: t.string });
const Expiring = t.type({ key_id: t.string, key: t.string, expires_at: t.union([t.string, t.null]) });
const Listed = t.type({
  keys: t.array(t.type({ key_id: t.string, expires_at: t.union([t.string, t.null]), revoked_at: t.unknown })),
});
const path = '/v1/me/keys';

describe('a key that expires', () => {
  let seconds = 0;
  const api = useTestApi({}, { now: () => at(seconds) });

  it('is 401 from that moment on', async () => {
    const body = { expires_in_seconds: 3_600 };
    const { key } = bodyOf(Expiring, await api().admin.post('/v1/accounts/owner/keys', body));
    const client = httpClient(api().world.url(), key);
    seconds = 3_599.999;
    await expectOk(client.get('/v1/me'));
    seconds = 3_600;
    expectText(await client.get('/v1/me'), 401);
    expectText(await client.post(path, {}), 401);
  });
});

describe('keys that are described, expire, and issue others', () => {
  const api = useTestApi();
  const withKey = (key: string): HttpClient => httpClient(api().world.url(), key);
  const made = async (client: HttpClient, body: object = {}) => bodyOf(Made, await client.post(path, body));
  let accounts = 0;
  /** A key of a new account. */
  const issued = async (body: object = {}) => {
    const account_id = `own-keys-${(accounts += 1)}`;
    await expectOk(api().admin.post('/v1/accounts', { account_id, name: 'Own' }));
    const { key, key_id, expires_at } = bodyOf(
      Expiring,
      await api().admin.post(`/v1/accounts/${account_id}/keys`, body),
    );
    return { account_id, key_id, expires_at, client: withKey(key) };
  };
  const secondsFromNow = (time: string | null): number => (Date.parse(time ?? '') - Date.now()) / 1_000;

  it('GET /v1/me describes a key and its permissions', async () => {
    const { client, account_id, key_id } = await issued({ label: 'CI', permissions: ['WORKER'] });
    await expectOk(api().admin.post(`/v1/accounts/${account_id}/credits`, { amount: 2.5, reason: 'test' }));
    const { body } = await expectOk(client.get('/v1/me'));
    const { created_at } = t.type({ created_at: t.string }).is(body) ? body : { created_at: '' };
    expect(body).to.deep.equal({
      account_id,
      name: 'Own',
      key_id,
      label: 'CI',
      admin: false,
      permissions: ['WORKER'],
      expires_at: null,
      balance: 2.5,
      created_at,
    });
    expect(Math.abs(secondsFromNow(created_at))).to.be.below(30);
    expectText(await api().anonymous.get('/v1/me'), 401);
  });

  it('an issued key may expire, and lists show it', async () => {
    const { account_id, expires_at } = await issued({ expires_in_seconds: 120 });
    expect(secondsFromNow(expires_at)).to.be.within(60, 121);
    const { keys } = bodyOf(Listed, await api().admin.get(`/v1/accounts/${account_id}/keys`));
    expect(keys.map((key) => key.expires_at)).to.deep.equal([expires_at]);
  });

  it('a key issues others without permissions and for an hour by default', async () => {
    const { client, account_id } = await issued({ permissions: ['WORKER', 'MEDIA_WRITE'] });
    const { body } = await expectOk(client.post(path));
    expect(body).to.deep.include({ account_id, label: null, admin: false, permissions: [] });
    expect(body).to.have.all.keys(
      'key_id',
      'key',
      'account_id',
      'label',
      'admin',
      'permissions',
      'expires_at',
      'created_at',
    );
    const plain = bodyOf(Made, await client.post(path, { label: null, permissions: null, admin: null }));
    expect(secondsFromNow(plain.expires_at)).to.be.within(3_550, 3_601);
    expect((await expectOk(withKey(plain.key).get('/v1/me'))).body).to.deep.include({
      permissions: [],
      expires_at: plain.expires_at,
    });
    const worker = await made(client, { label: 'page', permissions: ['WORKER'], expires_in_seconds: 60 });
    expect(secondsFromNow(worker.expires_at)).to.be.within(30, 61);
    expect((await expectOk(withKey(worker.key).get('/v1/me'))).body).to.deep.include({
      label: 'page',
      permissions: ['WORKER'],
    });
  });

  it('a key issues none with more permissions than it has: 401 that names the permission', async () => {
    const { client } = await issued({ permissions: ['MEDIA_WRITE'] });
    const refused = await client.post(path, { permissions: ['MEDIA_WRITE', 'WORKER'] });
    expectCode(refused, 401, 'not_authorised');
    expect(refused.body).to.have.nested.property('detail.permission', 'WORKER');
    const admin = await client.post(path, { admin: true });
    expectCode(admin, 401, 'not_authorised');
    expect(admin.body).not.to.have.nested.property('detail.permission');
    const made_by_admin = await made(api().admin, { admin: true, permissions: ['WORKER'] });
    expect((await expectOk(withKey(made_by_admin.key).get('/v1/me'))).body).to.deep.include({ admin: true });
  });

  it('no key outlives its issuer, nor the revocation of its issuer', async () => {
    const { client, account_id, key_id, expires_at } = await issued({ expires_in_seconds: 90 });
    const first = await made(client, { expires_in_seconds: 3_600 });
    expect(first.expires_at).to.equal(expires_at);
    const second = await made(withKey(first.key));
    for (const { key } of [first, second]) await expectOk(withKey(key).get('/v1/me'));
    await expectOk(api().admin.delete(`/v1/accounts/${account_id}/keys/${key_id}`));
    for (const { key } of [first, second]) expectText(await withKey(key).get('/v1/me'), 401);
    const { keys } = bodyOf(Listed, await api().admin.get(`/v1/accounts/${account_id}/keys`));
    expect(keys.filter(({ revoked_at }) => revoked_at === null)).to.deep.equal([]);
  });

  it('DELETE revokes only keys that were issued by keys, including the calling one', async () => {
    const { client, key_id } = await issued();
    const [page, other] = [await made(client), await made(client)];
    expectCode(await client.delete(`${path}/${key_id}`), 404, 'unknown_key');
    expectCode(await client.delete(`${path}/none`), 404, 'unknown_key');
    expectCode(await client.delete(`${path}/%20`), 404, 'unknown_key');
    expectCode(await api().owner.delete(`${path}/${page.key_id}`), 404, 'unknown_key');
    expectText(await api().anonymous.delete(`${path}/${page.key_id}`), 401);
    const { body } = await expectOk(client.delete(`${path}/${other.key_id}`));
    expect(body).to.have.all.keys('key_id', 'revoked_at');
    expect((await expectOk(client.delete(`${path}/${other.key_id}`))).body).to.deep.equal(body);
    await expectOk(withKey(page.key).delete(`${path}/${page.key_id}`));
    expectText(await withKey(page.key).get('/v1/me'), 401);
    await expectOk(client.get('/v1/me'));
  });
});

describe('who may read what', () => {
  const api = useTestApi();

  it('WORKER and MEDIA_WRITE may read what they work on, others nothing', async () => {
    const { owner, worker, mediaWriter, stranger } = api();
    await expectOk(owner.post('/v2/videos', { video_id: 'rights-v' }));
    await expectOk(owner.post('/v2/audios', { audio_id: 'rights-a', video_id: 'rights-v' }));
    const [video, audio] = ['/v2/videos/rights-v', '/v2/audios/rights-a'];
    const speech = { speaker_id: 1, start: 0, end: 1 };
    const transcript = [{ ...speech, text: 'Hello' }];
    const speakers = [{ speaker_id: 1 }];
    await expectOk(worker.put(`${audio}/analysis`, { status: 'completed', speakers, segments: [speech], transcript }));
    const forWorkers = [video, `${video}/tracks`, `${video}/match-runs`, `${video}/statuses`];
    const forBoth = [audio, `${audio}/segments`, `${audio}/transcript`];
    for (const path of [...forWorkers, ...forBoth]) await expectOk(worker.get(path));
    for (const path of forBoth) await expectOk(mediaWriter.get(path));
    for (const path of forWorkers) expectCode(await mediaWriter.get(path), 401, 'not_authorised');
    for (const path of forBoth) expectCode(await stranger.get(path), 401, 'not_authorised');
    expectCode(await worker.get(`${video}/history`), 401, 'not_authorised');
  });
});
