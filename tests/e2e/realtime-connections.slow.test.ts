import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect as connectTcp } from 'node:net';
import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
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
    const { owner, world } = stage();
    const [unresponsive, alive] = [await newSession(owner), await newSession(owner)];
    const kept = await listen(alive);
    const { hostname, port } = new URL(world.url());
    const socket = connectTcp(Number(port), hostname);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('data', () => undefined).on('error', () => undefined);
    const lines = [
      `GET ${resultsPath}?session_id=${unresponsive.session_id}&token=${unresponsive.token} HTTP/1.1`,
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
  const sent = (changed: Readonly<Record<string, string>>, path = resultsPath, method = 'GET') =>
    sendRequest(stage().world.url(), { method, path, headers: { ...whole, ...changed } });
  const codeOf = ({ text }: Awaited<ReturnType<typeof sent>>): unknown =>
    /^\{"detail":\{"code":"([a-z_]+)","message":"[^"]+"\}\}$/.exec(text)?.[1];

  it('that is malformed is refused like any other request', async () => {
    const broken = [
      { 'Sec-WebSocket-Version': '12' },
      { 'Sec-WebSocket-Key': 'short' },
      { 'Sec-WebSocket-Protocol': 'a,,b' },
    ];
    for (const changed of broken) {
      const answer = await sent(changed);
      expect([answer.status, codeOf(answer)]).to.deep.equal([400, 'bad_handshake']);
      expect(['x-request-id', 'sec-websocket-version'].map((name) => answer.headers.get(name))).to.deep.equal([
        'asked-1',
        '13',
      ]);
    }
  });

  it('may be aborted at any moment, and so may one for another protocol', async () => {
    const { hostname, port } = new URL(stage().world.url());
    const evil = { ...whole, Origin: 'https://evil.example' };
    const chunked = { Connection: 'Upgrade', Upgrade: 'h2c', 'Transfer-Encoding': 'chunked' };
    const headsOf = (headers: Readonly<Record<string, string>>): string =>
      Object.entries(headers).reduce((text, [name, value]) => `${text}${name}: ${value}\r\n`, 'Host: x\r\n');
    for (const headers of [evil, chunked, { ...whole, 'Sec-WebSocket-Version': '12' }, whole])
      for (let round = 0; round < 40; round += 1) {
        const socket = connectTcp(Number(port), hostname);
        const closed = new Promise((resolve) => socket.once('close', resolve));
        socket.on('error', () => undefined);
        await once(socket, 'connect');
        socket.write(
          `GET ${resultsPath} HTTP/1.1\r\n${headsOf(headers)}\r\n${'x'.repeat(round % 2 === 0 ? 70_000 : 0)}`,
        );
        if (round % 3 > 0) await setTimeout(round % 3);
        socket.resetAndDestroy();
        await closed;
      }
    expect((await stage().world.anonymous.get('/healthz')).status).to.equal(200);
  });

  it('that is refused is closed even if its client does not close', async () => {
    const { hostname, port } = new URL(stage().world.url());
    const socket = connectTcp({ port: Number(port), host: hostname, allowHalfOpen: true });
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('error', () => undefined).on('data', () => undefined);
    socket.write(`GET ${resultsPath} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`);
    await once(socket, 'end');
    const typing = setInterval(() => socket.write('x'), 100);
    await closed;
    clearInterval(typing);
  });

  it('is accepted with a trailing slash, like other paths, and answered with its request id', async () => {
    const url = `${stage().world.url()}${resultsPath}/`;
    const { socket, closed } = connectResults(url, { headers: { 'X-Request-Id': 'asked-2' } });
    const { headers } = await new Promise<IncomingMessage>((resolve) => socket.once('upgrade', resolve));
    expect(headers).to.include({ 'x-request-id': 'asked-2' });
    expect(await closed).to.deep.equal({ code: 1008, reason: 'Missing authentication token' });
  });
});
