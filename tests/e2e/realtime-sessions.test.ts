import { createHmac } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import * as t from 'io-ts';
import { expectOk } from '../support/e2e/media.js';
import { expectCode, expectText } from '../support/e2e/refusal.js';
import { type HttpClient, bodyOf, httpClient } from '../support/http-client.js';
import { connectResults } from '../support/realtime/results-client.js';
import {
  connect,
  endedOf,
  listen,
  newSession,
  openStage,
  pathOf,
  sessionOf,
  sessionPath,
  stageOfAll,
} from '../support/realtime/stage.js';

const unknownId = '01900000-0000-7000-8000-000000000000';
const offer = { type: 'offer', sdp: 'v=0\r\n' };
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
const invalid = 'Invalid or expired token';
const Renewed = t.type({ token: t.string, token_expires_at: t.string });
const Issued = t.type({ key: t.string, key_id: t.string });

describe('a realtime session over HTTP', () => {
  const stage = stageOfAll();

  it('is created with what a client needs to connect', async () => {
    const { owner, world } = stage();
    const price = await expectOk(owner.get('/v2/realtime/price'));
    expect(price.body).to.have.keys('price_per_minute', 'balance').and.include({ price_per_minute: 60 });
    const answer = await owner.post(sessionPath, { metadata: { call: 7 } });
    const created = sessionOf(answer);
    expect(created.token.length).to.be.greaterThan(40);
    expect(created.ice_servers).to.deep.equal([]);
    const { host } = new URL(world.url());
    expect(created.session_url).to.equal(`http://${host}${sessionPath}/${created.session_id}`);
    expect(created.results_url).to.equal(`ws://${host}/v2/realtime/results?session_id=${created.session_id}`);
    expect(Date.parse(created.expires_at)).to.be.greaterThan(Date.parse(created.token_expires_at));
    expect(Date.parse(created.token_expires_at)).to.be.greaterThan(Date.now());
    expect(answer.headers.get('X-Event-Position')).to.be.a('string');
    const { body } = await owner.get(pathOf(created));
    expect(body).to.include({ session_id: created.session_id, status: 'created', credits_charged: 0 });
  });

  it('is negotiated, connected, disconnected and ended; then it is not found', async () => {
    const { owner, engine } = stage();
    const session = await newSession(owner);
    const expectStatus = async (status: string) =>
      expect((await owner.get(pathOf(session))).body).to.include({ status });
    const { body } = await owner.post(pathOf(session, '/offer'), offer);
    expect(body).to.deep.equal({ type: 'answer', sdp: 'v=0\r\na=answered\r\n' });
    await expectStatus('negotiated');
    const candidate = 'candidate:1 1 udp 1 192.0.2.1 9 typ host';
    for (const one of [
      { candidate, sdp_mid: '0', sdp_m_line_index: 0 },
      { candidate: '', sdp_mid: null },
    ])
      expect((await owner.post(pathOf(session, '/ice'), one)).body).to.deep.equal({ status: 'accepted' });
    engine.report(session.session_id, { kind: 'media', state: 'connected' });
    await owner.post(pathOf(session, '/offer'), offer);
    await expectStatus('connected');
    engine.report(session.session_id, { kind: 'media', state: 'failed' });
    await setTimeout(50);
    await expectStatus('disconnected');
    const ended = endedOf(await owner.post(pathOf(session, '/end')));
    expect(ended).to.deep.include({ session_id: session.session_id, duration_seconds: 0, credits_charged: 0 });
    expect(engine.closed).to.include(session.session_id);
    for (const rest of ['/end', '/offer', '/ice', '/token'])
      expectText(await owner.post(pathOf(session, rest), {}), 404);
    for (const path of [pathOf(session), `${sessionPath}/${unknownId}`]) expectText(await owner.get(path), 404);
  });

  it('needs an engine that can be reached', async () => {
    const { owner, engine, world } = stage();
    const session = await newSession(owner);
    const health = () => world.anonymous.get('/v2/realtime/health');
    expect(await health()).to.deep.include({ status: 200, body: { status: 'ok' } });
    engine.reachable(false);
    const unreachable = { status: 'unreachable', retryable: true, retry_after_seconds: 5 };
    expect(await health()).to.deep.include({ status: 503, body: unreachable });
    const calls = [
      await owner.post(sessionPath),
      await owner.post(pathOf(session, '/offer'), offer),
      await owner.post(pathOf(session, '/ice'), { candidate: '' }),
    ];
    engine.reachable(true);
    for (const answer of calls) {
      expectCode(answer, 503, 'analysis_unavailable');
      expect(answer.headers.get('Retry-After')).to.equal('5');
    }
    expect((await owner.get(pathOf(session))).body).to.include({ status: 'created' });
  });

  it('with its token gives access to itself, without an account key, and to nothing else', async () => {
    const { owner, world } = stage();
    const [session, other] = [await newSession(owner), await newSession(owner)];
    const own = bearer(session.token);
    const { anonymous } = world;
    for (const answer of [
      await anonymous.get(pathOf(other), own),
      await anonymous.post(pathOf(other, '/offer'), offer, own),
      await anonymous.post(pathOf(other, '/token'), undefined, own),
      await anonymous.post(pathOf(other, '/end'), undefined, own),
      await anonymous.get(`${sessionPath}/${unknownId}`, own),
    ]) {
      expectText(answer, 401);
      expect(answer.text).to.include(invalid);
    }
    for (const path of ['/v1/me', '/v2/videos']) expectText(await anonymous.get(path, own), 401);
    expectText(await anonymous.post(sessionPath, {}, own), 401);
    const forged = bearer(`${session.session_id}.${'x'.repeat(43)}`);
    for (const wrong of [forged, { ...own, 'X-API-Key': 'wrong' }])
      expectText(await anonymous.get(pathOf(session), wrong), 401);
    await expectOk(anonymous.post(pathOf(session, '/offer'), offer, own));
    await expectOk(anonymous.post(pathOf(session, '/ice'), { candidate: '' }, own));
    expect((await expectOk(anonymous.get(pathOf(session), own))).body).to.include({ status: 'negotiated' });
    endedOf(await anonymous.post(pathOf(session, '/end'), undefined, own));
    expectText(await anonymous.get(pathOf(session), own), 404);
  });

  it('has tokens that are renewed with a key of the account or a valid token; older ones stay valid', async () => {
    const { owner, stranger, world } = stage();
    const session = await newSession(owner);
    const renew = (client: HttpClient, headers = {}) => client.post(pathOf(session, '/token'), undefined, headers);
    const first = bodyOf(Renewed, await renew(owner));
    const second = bodyOf(Renewed, await renew(world.anonymous, bearer(first.token)));
    const tokens = [session.token, first.token, second.token];
    expect(new Set(tokens).size).to.equal(3);
    for (const token of tokens) await expectOk(world.anonymous.get(pathOf(session), bearer(token)));
    const results = connectResults(`${session.results_url}&token=${second.token}`);
    await results.waitFor(({ type }) => type === 'ready');
    expectCode(await renew(stranger), 401, 'not_authorised');
    expectText(await renew(world.anonymous), 401);
    const all = await Promise.all(Array.from({ length: 55 }, () => renew(owner)));
    expect(all.filter(({ status }) => status === 200).length).to.equal(47);
    for (const answer of all.filter(({ status }) => status !== 200)) expectCode(answer, 409, 'too_many_tokens');
  });

  it('ends within 5 s of the revocation of its key, charged until then; those of other keys go on', async () => {
    const { world, account } = stage();
    const { account_id, client } = await account(100);
    const { key, key_id } = bodyOf(Issued, await world.admin.post(`/v1/accounts/${account_id}/keys`));
    const lost = httpClient(world.url(), key);
    const [session, kept] = [await newSession(lost), await newSession(client)];
    const [results, others] = [await listen(session), await listen(kept)];
    await connect(stage(), lost, session);
    const revoked = performance.now();
    await expectOk(world.admin.delete(`/v1/accounts/${account_id}/keys/${key_id}`));
    expect(await results.closed).to.deep.equal({ code: 1008, reason: invalid });
    const took = performance.now() - revoked;
    expect(took).to.be.below(5_000);
    expect(results.frames.at(-1)).to.include({ type: 'error', code: 'key_revoked', retryable: false });
    expectText(await client.get(pathOf(session)), 404);
    await expectOk(client.get(pathOf(kept)));
    const Balance = t.type({ balance: t.number });
    const { balance } = bodyOf(Balance, await client.get(`/v1/accounts/${account_id}/credits`));
    expect(100 - balance).to.be.within(Math.floor(took / 1_000) - 1, 5);
    others.socket.close();
  });
});

describe('a realtime session of a service with other settings', () => {
  it('has no candidates with loopback addresses if the service is reachable by others', async () => {
    const { world, owner } = await openStage({}, { host: '0.0.0.0' });
    const session = await newSession(owner);
    const candidate = (address: string) => `candidate:1 1 udp 1 ${address} 5000 typ host`;
    const ice = (address: string) => owner.post(pathOf(session, '/ice'), { candidate: candidate(address) });
    for (const address of ['127.0.0.1', '169.254.169.254'])
      expectCode(await ice(address), 400, 'invalid_ice_candidate');
    await expectOk(ice('192.168.0.7'));
    const sdp = `v=0\r\na=${candidate('127.0.0.1')}\r\na=${candidate('192.168.0.7')}\r\n`;
    const { body } = await owner.post(pathOf(session, '/offer'), { type: 'offer', sdp });
    const kept = `v=0\r\na=${candidate('192.168.0.7')}\r\na=answered\r\n`;
    expect(body).to.deep.equal({ type: 'answer', sdp: kept });
    await world.end();
  });

  it('has relay credentials that follow the TURN REST convention', async () => {
    const [turn, stun] = ['turn:relay.example:3478?transport=udp', 'stun:relay.example:3478'];
    const { world, owner } = await openStage({ turn_urls: [turn], turn_secret: 'shared', stun_urls: [stun] });
    const { ice_servers, session_id, expires_at } = await newSession(owner);
    const username = `${Math.ceil(Date.parse(expires_at) / 1_000)}:${session_id}`;
    const credential = createHmac('sha1', 'shared').update(username).digest('base64');
    expect(ice_servers).to.deep.equal([{ urls: [turn], username, credential }, { urls: [stun] }]);
    await world.end();
  });
});
