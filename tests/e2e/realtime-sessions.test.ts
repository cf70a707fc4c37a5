import { createHmac } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import * as t from 'io-ts';
import { systemClock } from '../../adapters/runtime/clock.js';
import { secondsAfter } from '../../domain/kernel/timestamp.js';
import { expectOk } from '../support/e2e/media.js';
import { expectCode, expectText } from '../support/e2e/refusal.js';
import { foundIn } from '../support/erasure/bytes.js';
import { type HttpClient, bodyOf } from '../support/http-client.js';
import { connectResults } from '../support/realtime/results-client.js';
import {
  type NewSession,
  type Stage,
  connect,
  endedOf,
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
    const { account, engine } = stage();
    const { account_id, client: owner } = await account(100);
    const held = async () => (await owner.get(`/v1/accounts/${account_id}/credits`)).body;
    const session = await newSession(owner);
    // One metering interval, from its creation to its end.
    expect(await held()).to.include({ balance: 100, held: 10 });
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
    expect(await held()).to.include({ balance: 100, held: 0 });
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
  });
});

describe('a realtime session of a service with other settings', () => {
  it('has no candidates with loopback addresses if the service is reachable by others', async () => {
    const { world, owner } = await openStage({}, { host: '0.0.0.0' });
    const session = await newSession(owner);
    const candidate = (address: string) => `candidate:1 1 udp 1 ${address} 5000 typ host`;
    const refused = await owner.post(pathOf(session, '/ice'), { candidate: candidate('127.0.0.1') });
    expectCode(refused, 400, 'invalid_ice_candidate');
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

const Erased = t.type({ status: t.literal('erased'), erased_at: t.string });

const day = 86_400;

describe('the erasure of a realtime session', function () {
  this.timeout(60_000);
  let stage: Stage;
  let passed = 0;
  before(async () => {
    stage = await openStage({}, {}, { now: () => secondsAfter(systemClock.now(), passed * day) });
  });
  after(() => stage.world.end());

  const noted = async (client: HttpClient, word: string): Promise<NewSession> =>
    sessionOf(await client.post(sessionPath, { metadata: { about: word } }, { 'Idempotency-Key': word }));
  const end = async (client: HttpClient, session: NewSession): Promise<void> =>
    void endedOf(await client.post(pathOf(session, '/end')));
  const endedSession = async (client: HttpClient, word: string): Promise<NewSession> => {
    const session = await noted(client, word);
    await end(client, session);
    return session;
  };

  it('is refused while it runs and to others, and answered once; afterwards everything is answered 410', async () => {
    const { owner, stranger, world } = stage;
    const session = await newSession(owner);
    const withToken = { Authorization: `Bearer ${session.token}` };
    expectCode(await owner.delete(pathOf(session)), 409, 'session_running');
    expectCode(await stranger.delete(pathOf(session)), 401, 'not_authorised');
    expectText(await world.anonymous.delete(pathOf(session), withToken), 401);
    expectText(await owner.delete(`${sessionPath}/${unknownId}`), 404);
    await end(owner, session);
    expectCode(await stranger.delete(pathOf(session)), 401, 'not_authorised');
    const answers = await Promise.all(Array.from({ length: 6 }, () => owner.delete(pathOf(session))));
    expect(answers.map(({ status }) => status)).to.have.members([200, 410, 410, 410, 410, 410]);
    const [erased] = answers.filter(({ status }) => status === 200);
    if (erased === undefined) throw new Error('none erased it');
    const { erased_at } = bodyOf(Erased, erased);
    for (const answer of [
      await world.admin.get(pathOf(session)),
      ...(await Promise.all(['/end', '/offer', '/ice', '/token'].map((rest) => owner.post(pathOf(session, rest), {})))),
    ]) {
      expectCode(answer, 410, 'erased');
      expect(answer.body).to.have.nested.property('detail.erased_at', erased_at);
    }
    expectCode(await stranger.get(pathOf(session)), 401, 'not_authorised');
    expectText(await world.anonymous.get(pathOf(session), withToken), 401);
  });

  it('leaves no metadata in any file or answer, and keeps the charges and their key', async () => {
    const { owner, world } = stage;
    const session = await noted(owner, 'Quittenbaum Metadata');
    expect(await foundIn(world.dataDir, ['Quittenbaum Metadata'])).to.deep.equal([]);
    await connect(stage, owner, session);
    await setTimeout(1_100);
    await end(owner, session);
    const log = () => world.admin.get(`/v1/audit/events?stream=realtimeSession-${session.session_id}`);
    expect((await log()).text).to.include('Quittenbaum Metadata');
    const usage = async () => (await expectOk(world.admin.get('/v1/accounts/realtime-1/usage?group_by=key'))).body;
    const before = await usage();
    expect(before).to.have.nested.property('total.charges').that.is.greaterThan(0);
    await expectOk(owner.delete(pathOf(session)));
    const shown = await log();
    expect(shown.text).not.to.include('Quittenbaum');
    expect(shown.body).to.containSubset({ events: [{ type: 'RealtimeSessionCreated', data: null }] });
    await world.restart();
    expectCode(await owner.delete(pathOf(session)), 410, 'erased');
    expect(await usage()).to.deep.equal(before);
  });

  it('is also done by retention, for those that ended long enough ago', async () => {
    const { owner, stranger, world } = stage;
    const set = (days: number | null) => world.admin.put('/v1/accounts/realtime-1/retention', { days });
    const later = (days: number) =>
      world.restart(async () => {
        passed += days;
      });
    const [old, other] = [await endedSession(owner, 'old'), await endedSession(stranger, 'other')];
    await set(10);
    await later(5);
    await setTimeout(500);
    expectText(await owner.get(pathOf(old)), 404);
    await later(6);
    for (let status = 0; status !== 410;) ({ status } = await owner.get(pathOf(old)));
    expectText(await stranger.get(pathOf(other)), 404);
    const log = await world.admin.get(`/v1/audit/events?stream=realtimeSession-${old.session_id}&actor=retention`);
    expect(log.body).to.containSubset({ events: [{ actor: { key_id: 'retention' } }] });
    await set(null);
  });
});
