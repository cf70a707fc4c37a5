import { once } from 'node:events';
import { connect as connectTcp } from 'node:net';
import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { chargesOf } from '../support/e2e/naming.js';
import { expectText } from '../support/e2e/refusal.js';
import { sendRequest } from '../support/http-client.js';
import { connectResults } from '../support/realtime/results-client.js';
import { connect, listen, newSession, openStage, pathOf, resultsPath, stageOfAll } from '../support/realtime/stage.js';

const activity = { kind: 'voice_activity' as const, start: 0, end: 0.25, speaking: true, level_dbfs: -20.5 };

describe('a results socket that is read too slowly', function () {
  this.timeout(60_000);
  // A long interval, so that a slow machine does not close it first because of missing pongs.
  const stage = stageOfAll({ ping_seconds: 300 });

  it('is closed with 1013, while others continue', async () => {
    const { owner, engine } = stage();
    const [slow, quick] = [await newSession(owner), await newSession(owner)];
    const [sleeper, listener] = [await listen(slow), await listen(quick)];
    await connect(stage(), owner, slow);
    await connect(stage(), owner, quick);
    sleeper.socket.pause();
    for (let round = 0; round < 40; round += 1) {
      for (let index = 0; index < 2_000; index += 1) engine.report(slow.session_id, activity);
      await setTimeout(1);
    }
    engine.report(quick.session_id, activity);
    await listener.waitFor(({ type }) => type === 'result');
    sleeper.socket.resume();
    expect(await sleeper.closed).to.deep.equal({ code: 1013, reason: 'Reading too slowly' });
    const received = sleeper.frames.filter(({ type }) => type === 'result').map(({ seq }) => seq);
    expect(received.length).to.be.lessThan(80_000);
    expect(received).to.deep.equal(received.map((_, index) => index + 1));
    listener.socket.terminate();
  });
});

describe('a results socket with a misbehaving client', function () {
  this.timeout(60_000);
  const stage = stageOfAll({ ping_seconds: 1 });

  it('is closed if it does not answer pings, and kept if it does', async () => {
    const { owner } = stage();
    const [unresponsive, alive] = [await newSession(owner), await newSession(owner)];
    const kept = await listen(alive);
    const { results_url, token } = unresponsive;
    await connectResults(`${results_url}&token=${token}`, { autoPong: false }).closed;
    await setTimeout(1_000);
    expect(kept.socket.readyState).to.equal(kept.socket.OPEN);
    kept.socket.terminate();
  });

  it('is closed if its messages are too large, malformed or too many, and kept otherwise', async () => {
    const { owner } = stage();
    const send = async (write: (socket: Awaited<ReturnType<typeof listen>>['socket']) => void) => {
      const client = await listen(await newSession(owner));
      write(client.socket);
      return client;
    };
    const large = await send((socket) => socket.send('x'.repeat(20_000)));
    expect(await large.closed).to.include({ code: 1009 });
    const many = await send((socket) => {
      for (let index = 0; index < 200; index += 1) socket.send('{}');
    });
    expect(await many.closed).to.include({ code: 1008, reason: 'Too many messages' });
    const few = await send((socket) => {
      for (const message of ['', '{', '{"type":"end"}', randomBytes(100)]) socket.send(message);
    });
    await setTimeout(100);
    expect(few.socket.readyState).to.equal(few.socket.OPEN);
    few.socket.terminate();
  });
});

describe('a service that shuts down', () => {
  it('ends its sessions: an error frame, then 1001', async () => {
    const stage = await openStage();
    const { world, owner, engine } = stage;
    const session = await newSession(owner);
    const results = await listen(session);
    await connect(stage, owner, session);
    await world.restart();
    expect(await results.closed).to.deep.equal({ code: 1001, reason: 'Server is shutting down' });
    expect(results.frames.at(-1)).to.include({ type: 'error', code: 'server_shutdown', retryable: true });
    expect(engine.closed).to.include(session.session_id);
    expectText(await owner.get(pathOf(session)), 404);
    await world.end();
  });
});

describe('a handshake of the results socket', () => {
  const stage = stageOfAll({ allowed_origins: ['https://app.example'] });
  const whole = {
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': randomBytes(16).toString('base64'),
    'X-Request-Id': 'asked-1',
  };
  it('that is malformed is refused like any other request', async () => {
    for (const changed of [{ 'Sec-WebSocket-Version': '12' }, { 'Sec-WebSocket-Protocol': 'a,,b' }]) {
      const headers = { ...whole, ...changed };
      const answer = await sendRequest(stage().world.url(), { path: resultsPath, headers });
      expect(answer.status).to.equal(400);
      expect(answer.text).to.match(/^\{"detail":\{"code":"bad_handshake","message":"[^"]+"\}\}$/);
      expect(answer.headers.get('x-request-id')).to.equal('asked-1');
    }
  });

  it('may be aborted at any moment, and so may one for another protocol', async () => {
    const { hostname, port } = new URL(stage().world.url());
    const chunked = { Connection: 'Upgrade', Upgrade: 'h2c', 'Transfer-Encoding': 'chunked' };
    const headsOf = (headers: Readonly<Record<string, string>>): string =>
      Object.entries(headers).reduce((text, [name, value]) => `${text}${name}: ${value}\r\n`, 'Host: x\r\n');
    for (const headers of [{ ...whole, Origin: 'https://evil.example' }, chunked, whole])
      for (let round = 0; round < 40; round += 1) {
        const socket = connectTcp(Number(port), hostname).on('error', () => undefined);
        await once(socket, 'connect');
        const more = 'x'.repeat(round % 2 === 0 ? 70_000 : 0);
        socket.write(`GET ${resultsPath} HTTP/1.1\r\n${headsOf(headers)}\r\n${more}`);
        await setTimeout(round % 3);
        socket.resetAndDestroy();
      }
    expect((await stage().world.anonymous.get('/healthz')).status).to.equal(200);
  });
});

/** One credit a second, charged every second. */
describe('the metering of realtime sessions', function () {
  this.timeout(60_000);
  const stage = stageOfAll({ meter_seconds: 1 });

  it('ends a session whose credits are used up with the specified frame; it then no longer exists', async () => {
    const { account, world, engine } = stage();
    const { client, account_id } = await account(2);
    const session = await newSession(client);
    const results = await listen(session);
    await connect(stage(), client, session);
    const warning = await results.waitFor(({ type }) => type === 'warning');
    expect(warning).to.include({ code: 'credits_low', session_id: session.session_id });
    expect(warning).to.have.property('seconds_left').that.is.within(1, 2);
    expect(await results.closed).to.deep.equal({ code: 1008, reason: 'Insufficient credits for realtime session' });
    const last = results.frames.at(-1);
    expect(last).to.include({ type: 'error', session_id: session.session_id, code: 'insufficient_credits' });
    expect(last).to.have.property('error').that.matches(/\S/);
    expect(last).to.have.property('retryable', false);
    expectText(await client.post(pathOf(session, '/end')), 404);
    expectText(await client.get(pathOf(session)), 404);
    expect(engine.closed).to.include(session.session_id);
    const { body } = await client.get(`/v1/accounts/${account_id}/credits`);
    expect(body).to.include({ balance: 0 });
    expect((await chargesOf(world.admin, account_id)).map(({ amount }) => amount)).to.deep.equal([-1, -1]);
    const again = connectResults(`${session.results_url}&token=${session.token}`);
    expect(await again.closed).to.include({ code: 1008, reason: 'Insufficient credits for realtime session' });
    expect(results.frames.filter(({ type }) => type === 'warning').length).to.equal(1);
  });
});
