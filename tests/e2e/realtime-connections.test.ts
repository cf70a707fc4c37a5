import { connect as connectTcp } from 'node:net';
import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { expectText } from '../support/e2e/refusal.js';
import { sendRaw } from '../support/e2e/raw-http.js';
import { connect, listen, newSession, openStage, pathOf, resultsPath, stageOfAll } from '../support/realtime/stage.js';

const activity = { kind: 'voice_activity' as const, start: 0, end: 0.25, speaking: true, level_dbfs: -20.5 };

describe('a results socket that does not behave', function () {
  this.timeout(60_000);
  const stage = stageOfAll({ ping_seconds: 1 });

  it('is dropped when it does not answer pings, and kept when it does', async () => {
    const { owner, world } = stage();
    const [deaf, alive] = [await newSession(owner), await newSession(owner)];
    const kept = await listen(alive);
    const { hostname, port } = new URL(world.url());
    const socket = connectTcp(Number(port), hostname);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('data', () => undefined).on('error', () => undefined);
    const lines = [
      `GET ${resultsPath}?session_id=${deaf.session_id}&token=${deaf.token} HTTP/1.1`,
      `Host: ${hostname}`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
    ];
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    await closed;
    await setTimeout(1_000);
    expect(kept.socket.readyState).to.equal(kept.socket.OPEN);
    kept.socket.terminate();
  });

  it('is dropped with 1013 when it reads too slowly; others hear on', async () => {
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
    await listener.hears(({ type }) => type === 'result');
    sleeper.socket.resume();
    expect(await sleeper.closed).to.deep.equal({ code: 1013, reason: 'Reading too slowly' });
    const heard = sleeper.frames.filter(({ type }) => type === 'result').map(({ seq }) => seq);
    expect(heard.length).to.be.lessThan(80_000);
    expect(heard).to.deep.equal(heard.map((_, index) => index + 1));
    listener.socket.terminate();
  });

  it('is closed when its messages are too large, broken or too many, and heard on when they are not', async () => {
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

describe('a request that asks for another protocol', () => {
  it('is served as if it had not, with its body', async () => {
    const { world, owner } = await openStage();
    const headers = { Connection: 'Upgrade, HTTP2-Settings', Upgrade: 'h2c', 'X-API-Key': world.adminKey };
    const got = await sendRaw(world.url(), { path: '/healthz', headers });
    expect([got.status, got.text]).to.deep.equal([200, '{"status":"ok"}']);
    const body = JSON.stringify({ account_id: 'upgraded', name: 'x'.repeat(300_000) });
    const length = { 'Content-Length': String(Buffer.byteLength(body)) };
    const posted = await sendRaw(world.url(), {
      method: 'POST',
      path: '/v1/accounts',
      headers: { ...headers, ...length },
      body,
    });
    expect(posted.status, posted.text.slice(0, 200)).to.equal(422);
    const elsewhere = await sendRaw(world.url(), {
      path: '/v2/nowhere',
      headers: { ...headers, Upgrade: 'websocket' },
    });
    expect(elsewhere.status).to.equal(404);
    await newSession(owner);
    await world.end();
  });
});
