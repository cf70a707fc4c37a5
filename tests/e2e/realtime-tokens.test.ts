import { expect } from 'chai';
import * as t from 'io-ts';
import { type HttpClient, bodyOf, httpClient } from '../support/http-client.js';
import { expectOk } from '../support/e2e/media.js';
import { expectCode, expectText } from '../support/e2e/refusal.js';
import { connect, endedOf, listen, newSession, pathOf, stageOfAll } from '../support/realtime/stage.js';
import { connectResults } from '../support/realtime/results-client.js';

const Renewed = t.type({ token: t.string, token_expires_at: t.string });
const Issued = t.type({ key: t.string, key_id: t.string });
const offer = { type: 'offer', sdp: 'v=0\r\n' };
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
const invalid = 'Invalid or expired token';

describe('the token of a realtime session', () => {
  const stage = stageOfAll();

  it('gives access to offer, ice, GET, renewal and end of its own session, without an account key', async () => {
    const { owner, world } = stage();
    const session = await newSession(owner);
    const own = bearer(session.token);
    const { anonymous } = world;
    await expectOk(anonymous.post(pathOf(session, '/offer'), offer, own));
    await expectOk(anonymous.post(pathOf(session, '/ice'), { candidate: '' }, own));
    expect((await expectOk(anonymous.get(pathOf(session), own))).body).to.include({ status: 'negotiated' });
    endedOf(await anonymous.post(pathOf(session, '/end'), undefined, own));
    for (const answer of [
      await anonymous.get(pathOf(session), own),
      await anonymous.post(pathOf(session, '/end'), undefined, own),
    ])
      expectText(answer, 404);
  });

  it('gives access to nothing else', async () => {
    const { owner, world } = stage();
    const [session, other] = [await newSession(owner), await newSession(owner)];
    const own = bearer(session.token);
    const elsewhere = [
      await world.anonymous.get(pathOf(other), own),
      await world.anonymous.post(pathOf(other, '/offer'), offer, own),
      await world.anonymous.post(pathOf(other, '/token'), undefined, own),
      await world.anonymous.post(pathOf(other, '/end'), undefined, own),
      await world.anonymous.get('/v2/realtime/session/00000000-0000-4000-8000-000000000000', own),
    ];
    for (const answer of elsewhere) {
      expectText(answer, 401);
      expect(answer.text).to.include(invalid);
    }
    for (const path of ['/v1/me', '/v2/videos']) expectText(await world.anonymous.get(path, own), 401);
    expectText(await world.anonymous.post('/v2/realtime/session', {}, own), 401);
    const forged = bearer(`${session.session_id}.${'x'.repeat(43)}`);
    expectText(await world.anonymous.get(pathOf(session), forged), 401);
    expectText(await world.anonymous.get(pathOf(session), { ...own, 'X-API-Key': 'wrong' }), 401);
  });

  it('is renewed with a key of the account or a valid token; older tokens stay valid', async () => {
    const { owner, stranger, world } = stage();
    const session = await newSession(owner);
    const renew = (client: HttpClient, headers = {}) => client.post(pathOf(session, '/token'), undefined, headers);
    const first = bodyOf(Renewed, await renew(owner));
    const second = bodyOf(Renewed, await renew(world.anonymous, bearer(first.token)));
    const tokens = [session.token, first.token, second.token];
    expect(new Set(tokens).size).to.equal(3);
    expect(Date.parse(second.token_expires_at)).to.be.at.least(Date.parse(session.token_expires_at));
    for (const token of tokens) await expectOk(world.anonymous.get(pathOf(session), bearer(token)));
    const results = connectResults(`${session.results_url}&token=${second.token}`);
    await results.waitFor(({ type }) => type === 'ready');
    expectCode(await renew(stranger), 401, 'not_authorised');
    expectText(await renew(world.anonymous), 401);
    await expectOk(owner.post(pathOf(session, '/end')));
    expectText(await renew(owner), 404);
    expectText(await renew(world.anonymous, bearer(first.token)), 404);
    const more = await newSession(owner);
    const all = await Promise.all(Array.from({ length: 55 }, () => owner.post(pathOf(more, '/token'))));
    expect(all.filter(({ status }) => status === 200).length).to.equal(49);
    for (const answer of all.filter(({ status }) => status !== 200)) expectCode(answer, 409, 'too_many_tokens');
  });
});

describe('a token of a realtime session that has expired', () => {
  const stage = stageOfAll({ token_seconds: 1 });
  it('is answered 401, and the key can still renew it', async () => {
    const { owner, world } = stage();
    const session = await newSession(owner);
    await new Promise((resume) => setTimeout(resume, 1_050));
    const answer = await world.anonymous.get(pathOf(session), bearer(session.token));
    expectText(answer, 401);
    expect(answer.text).to.include(invalid);
    const { token } = bodyOf(Renewed, await owner.post(pathOf(session, '/token')));
    await expectOk(world.anonymous.get(pathOf(session), bearer(token)));
  });
});

describe('a key that is revoked', () => {
  const stage = stageOfAll();
  it('ends its realtime sessions and their sockets within 5 s, charged until then; those of other keys go on', async () => {
    const { world, account } = stage();
    const { account_id, client } = await account(100);
    const { key, key_id } = bodyOf(Issued, await world.admin.post(`/v1/accounts/${account_id}/keys`));
    const lost = httpClient(world.url(), key);
    const [session, kept] = [await newSession(lost), await newSession(client)];
    const results = await listen(session);
    const others = await listen(kept);
    await connect(stage(), lost, session);
    const revoked = performance.now();
    await expectOk(world.admin.delete(`/v1/accounts/${account_id}/keys/${key_id}`));
    expect(await results.closed).to.deep.equal({ code: 1008, reason: invalid });
    const took = performance.now() - revoked;
    expect(took).to.be.below(5_000);
    expect(results.frames.at(-1)).to.include({ type: 'error', code: 'key_revoked', retryable: false });
    expectText(await client.get(pathOf(session)), 404);
    await expectOk(client.get(pathOf(kept)));
    const { body } = await client.get(`/v1/accounts/${account_id}/credits`);
    const { balance } = t.type({ balance: t.number }).is(body) ? body : { balance: 0 };
    expect(100 - balance).to.be.within(Math.floor(took / 1_000) - 1, 5);
    others.socket.close();
  });
});
