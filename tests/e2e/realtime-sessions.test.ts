import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import { expectCode, expectText } from '../support/e2e/refusal.js';
import {
  endedOf,
  newSession,
  openStage,
  pathOf,
  sessionOf,
  sessionPath,
  stageOfAll,
} from '../support/realtime/stage.js';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const offer = { type: 'offer', sdp: 'v=0\r\n' };

describe('a realtime session over HTTP', () => {
  const stage = stageOfAll();

  it('is created with what a client needs to connect', async () => {
    const { owner, world } = stage();
    const answer = await owner.post(sessionPath, { metadata: { call: 7 } });
    const created = sessionOf(answer);
    expect(created.session_id).to.match(uuid);
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
    expect(body)
      .to.have.property('created_at')
      .that.matches(/^\d{4}-.*\.\d{3}Z$/);
  });

  it('has a price, which can be read before it is created, with the balance', async () => {
    const { body } = await stage().owner.get('/v2/realtime/price');
    expect(body).to.have.keys('price_per_minute', 'balance').and.include({ price_per_minute: 60 });
  });

  it('is negotiated, connected, disconnected and ended', async () => {
    const { owner, engine } = stage();
    const session = await newSession(owner);
    const status = async () => (await owner.get(pathOf(session))).body;
    const { body } = await owner.post(pathOf(session, '/offer'), offer);
    expect(body).to.deep.equal({ type: 'answer', sdp: 'v=0\r\na=answered\r\n' });
    expect(await status()).to.include({ status: 'negotiated' });
    engine.report(session.session_id, { kind: 'media', state: 'connected' });
    await owner.post(pathOf(session, '/offer'), offer);
    expect(await status()).to.include({ status: 'connected' });
    engine.report(session.session_id, { kind: 'media', state: 'failed' });
    await new Promise((resume) => setTimeout(resume, 50));
    expect(await status()).to.include({ status: 'disconnected' });
    const ended = endedOf(await owner.post(pathOf(session, '/end')));
    expect(ended).to.deep.include({ session_id: session.session_id, duration_seconds: 0, credits_charged: 0 });
    expect(engine.closed).to.include(session.session_id);
  });

  it('accepts candidates, and the end of candidates', async () => {
    const { owner } = stage();
    const session = await newSession(owner);
    const ice = (body: unknown) => owner.post(pathOf(session, '/ice'), body);
    const candidate = 'candidate:1 1 udp 1 192.0.2.1 9 typ host';
    expect((await ice({ candidate, sdp_mid: '0', sdp_m_line_index: 0 })).body).to.deep.equal({ status: 'accepted' });
    expect((await ice({ candidate: '', sdp_mid: null })).body).to.deep.equal({ status: 'accepted' });
    expectCode(await ice({ candidate: 'nonsense' }), 400, 'invalid_ice_candidate');
  });

  it('is not found once it has ended: 404 with a text', async () => {
    const { owner } = stage();
    const session = await newSession(owner);
    endedOf(await owner.post(pathOf(session, '/end')));
    for (const rest of ['/end', '/offer', '/ice']) expectText(await owner.post(pathOf(session, rest), {}), 404);
    expectText(await owner.get(pathOf(session)), 404);
    for (const id of ['no-such', '01900000-0000-7000-8000-000000000000'])
      expectText(await owner.get(`${sessionPath}/${id}`), 404);
  });

  it('needs a positive balance', async () => {
    const { account, world } = stage();
    const { client, account_id } = await account(0);
    expectCode(await client.post(sessionPath), 402, 'insufficient_credits');
    await world.admin.post(`/v1/accounts/${account_id}/credits`, { amount: -1, reason: 'for a test' });
    expectCode(await client.post(sessionPath, { metadata: {} }), 402, 'insufficient_credits');
    await world.admin.post(`/v1/accounts/${account_id}/credits`, { amount: 2, reason: 'for a test' });
    await newSession(client);
    await world.admin.put(`/v1/accounts/${account_id}/spending-window`, { limit: 0, period_seconds: 60 });
    expectCode(await client.post(sessionPath), 402, 'insufficient_credits');
  });

  it('needs an engine that can be reached', async () => {
    const { owner, engine, world } = stage();
    const session = await newSession(owner);
    const health = () => world.anonymous.get('/v2/realtime/health');
    expect(await health()).to.deep.include({ status: 200, body: { status: 'ok' } });
    engine.reachable(false);
    expect(await health()).to.deep.include({
      status: 503,
      body: { status: 'unreachable', retryable: true, retry_after_seconds: 5 },
    });
    const calls = [
      await owner.post(sessionPath),
      await owner.post(pathOf(session, '/offer'), offer),
      await owner.post(pathOf(session, '/ice'), { candidate: '' }),
    ];
    engine.reachable(true);
    for (const answer of calls) {
      expectCode(answer, 503, 'analysis_unavailable');
      expect(answer.headers.get('Retry-After')).to.equal('5');
      expect(answer.body).to.have.nested.property('detail.retryable', true);
    }
    expect((await owner.get(pathOf(session))).body).to.include({ status: 'created' });
  });
});

describe('candidates with forbidden addresses', () => {
  const candidate = (address: string) => `candidate:1 1 udp 1 ${address} 5000 typ host`;

  it('are refused and removed from offers if the service is reachable by others, including loopback', async () => {
    const { world, owner } = await openStage({}, { host: '0.0.0.0' });
    const session = await newSession(owner);
    const ice = (address: string) => owner.post(pathOf(session, '/ice'), { candidate: candidate(address) });
    for (const address of ['127.0.0.1', '::ffff:7f00:1', '169.254.169.254', '224.0.0.1', '0.0.0.0', 'fe80::1'])
      expectCode(await ice(address), 400, 'invalid_ice_candidate');
    expect((await ice('192.168.0.7')).status).to.equal(200);
    const sdp = `v=0\r\na=${candidate('127.0.0.1')}\r\na=${candidate('192.168.0.7')}\r\n`;
    const { body } = await owner.post(pathOf(session, '/offer'), { type: 'offer', sdp });
    const kept = `v=0\r\na=${candidate('192.168.0.7')}\r\na=answered\r\n`;
    expect(body).to.deep.equal({ type: 'answer', sdp: kept });
    await world.end();
  });
});

describe('the capacity for realtime sessions', () => {
  it('is never exceeded by sessions that are created at once, and is free again when they end', async () => {
    const { world, owner } = await openStage({ max_sessions: 3 });
    const answers = await Promise.all(Array.from({ length: 60 }, () => owner.post(sessionPath)));
    const created = answers.filter(({ status }) => status === 200).map(sessionOf);
    expect(created.length).to.equal(3);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expectCode(answer, 503, 'at_capacity');
      expect(answer.headers.get('Retry-After')).to.equal('5');
      expect(answer.body).to.have.nested.property('detail.retryable', true);
      expect(answer.body).to.have.nested.property('detail.retry_after_seconds', 5);
    }
    expect((await world.anonymous.get('/v2/realtime/health')).body).to.deep.equal({ status: 'ok' });
    for (const session of created) endedOf(await owner.post(pathOf(session, '/end')));
    for (const _ of created) await newSession(owner);
    expectCode(await owner.post(sessionPath), 503, 'at_capacity');
    await world.end();
  });
});

describe('relay credentials', () => {
  it('follow the TURN REST convention', async () => {
    const { world, owner } = await openStage({
      turn_urls: ['turn:relay.example:3478?transport=udp'],
      turn_secret: 'shared',
      stun_urls: ['stun:relay.example:3478'],
    });
    const { ice_servers, session_id, expires_at } = await newSession(owner);
    const username = `${Math.ceil(Date.parse(expires_at) / 1_000)}:${session_id}`;
    const credential = createHmac('sha1', 'shared').update(username).digest('base64');
    expect(ice_servers).to.deep.equal([
      { urls: ['turn:relay.example:3478?transport=udp'], username, credential },
      { urls: ['stun:relay.example:3478'] },
    ]);
    await world.end();
  });
});
