import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import * as t from 'io-ts';
import { type Command, spawnCommand, startCommand, runCommand } from '../support/e2e/command.js';
import { expectOk } from '../support/e2e/media.js';
import { createCall } from '../support/e2e/naming.js';
import { until, useFolder } from '../support/event-store/stores.js';
import { httpClient } from '../support/http-client.js';
import { proposes, slow } from '../support/name-model/behaviours.js';
import { startScriptedModel } from '../support/name-model/scripted-model.js';

describe('the command line, in a separate process', () => {
  const folder = useFolder(beforeEach, afterEach);

  const serve = (env: Record<string, string> = {}, start = spawnCommand): Command =>
    start(['serve'], { DATA_DIR: join(folder(), 'data'), PORT: '0', ...env });
  const serveHere = (env: Record<string, string> = {}): Command => serve(env, startCommand);
  const urlOf = async (service: Command): Promise<string> =>
    (await service.prints(/Serving on http:\/\/\S+/)).slice('Serving on '.length);
  const stopped = (service: Command) => {
    service.signal('SIGTERM');
    return service.ended;
  };
  const keyOf = async (service: Command): Promise<string> => await service.prints(/^mak_\S+$/m);

  it('prints the first admin key once, but not in a log, and stores it in no file', async () => {
    const first = serve();
    const [url, key] = [await urlOf(first), await keyOf(first)];
    const admin = httpClient(url, key);
    expect((await admin.post('/v1/accounts', { account_id: 'owner', name: 'Secret Owner' })).status).to.equal(200);
    const { code, err } = await stopped(first);
    expect(code).to.equal(0);
    expect(err).not.to.include(key).and.not.to.include('Secret Owner');
    const second = serveHere();
    const again = httpClient(await urlOf(second), key);
    expect((await again.get('/v1/accounts/owner/keys')).status).to.equal(200);
    expect((await stopped(second)).out).not.to.include('mak_');
    for (const file of await readdir(join(folder(), 'data')))
      expect((await readFile(join(folder(), 'data', file))).includes(key), file).to.equal(false);
  });

  it('finishes requests in progress when it is stopped, and accepts no more', async () => {
    const service = serve({ ADMIN_API_KEY: 'chosen' });
    const url = new URL(await urlOf(service));
    const socket = connect(Number(url.port), url.hostname);
    let came = '';
    socket.setEncoding('utf8').on('data', (text: string) => (came += text));
    const closed = new Promise((resolve) => socket.once('close', resolve));
    const body = JSON.stringify({ video_id: 'in-flight' });
    const head = `POST /v2/videos HTTP/1.1\r\nHost: x\r\nX-API-Key: chosen\r\nExpect: 100-continue\r\n`;
    socket.write(`${head}Content-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`);
    const goOn = 'HTTP/1.1 100 Continue\r\n\r\n';
    await until('the request is under way', () => came === goOn);
    const start = performance.now();
    service.signal('SIGINT');
    await service.prints(/Stopping/);
    const refused = await fetch(url).then(
      () => false,
      () => true,
    );
    socket.write(body.slice(5));
    await closed;
    expect(refused).to.equal(true);
    expect(came.slice(goOn.length))
      .to.match(/^HTTP\/1\.1 200 /)
      .and.to.include('"video_id":"in-flight"');
    const { code, out } = await service.ended;
    expect(code).to.equal(0);
    expect(out, 'a key beside ADMIN_API_KEY').not.to.include('mak_');
    expect(performance.now() - start).to.be.below(9_000);
  });

  it('reports in a message what it cannot use: an address, a port, a folder', async () => {
    const service = serveHere();
    const { port } = new URL(await urlOf(service));
    const second = await serve({ PORT: port, DATA_DIR: join(folder(), 'other') }).ended;
    expect(second.code).to.equal(1);
    expect(second.err)
      .to.match(new RegExp(`${port}.*in use|in use.*${port}`))
      .and.not.match(/\n\s+at /);
    await stopped(service);
    const taken = join(folder(), 'taken');
    await mkdir(join(taken, 'events.db'), { recursive: true });
    const host = 'HOST must be an address of this machine, or a name that resolves to one';
    for (const [env, exit, message] of [
      [{ HOST: '203.0.113.1' }, 2, `${host}: 203.0.113.1 is not an address of this machine\n`],
      [{ HOST: '999.1.1.1' }, 2, `${host}: 999.1.1.1 cannot be resolved`],
      [{ DATA_DIR: taken }, 1, `error: Cannot open the event log ${taken}/events.db: it is a folder\n`],
    ] as const) {
      const { code, err } = await serveHere(env).ended;
      expect(code, err).to.equal(exit);
      expect(err).to.include(message);
    }
  });

  it('prints help, and refuses unknown commands', async () => {
    for (const args of ['--help', 'serve --help', 'help serve']) {
      const { code, out } = await runCommand(args.split(' '));
      expect(code).to.equal(0);
      expect(out).to.include('Usage:');
    }
    for (const args of ['no-such', 'audit no-such', 'serve --no-such', 'serve extra', 'import']) {
      const { code, err } = await runCommand(args.split(' '));
      expect(code, args).to.equal(2);
      expect(err).to.match(/^error: .*\n(?:Use --help for usage\.\n)?$/);
    }
    expect((await spawnCommand(['--version']).ended).out).to.match(/^\d+\.\d+\.\d+\n$/);
  });
});

const Package = t.type({ scripts: t.type({ start: t.string }), engines: t.type({ node: t.string }) });
const root = new URL('../../../', import.meta.url);
const bin = fileURLToPath(new URL('../../adapters/bin.js', import.meta.url));

const ownPackage = async (): Promise<t.TypeOf<typeof Package>> => {
  const text: unknown = JSON.parse(await readFile(new URL('package.json', root), 'utf8'));
  if (!Package.is(text)) throw new Error('package.json has no start script');
  return text;
};

describe('stopping the service', function () {
  this.timeout(60_000);
  const folder = useFolder(beforeEach, afterEach);

  it('exits with 0 in less than 10 s, whatever is in progress', async () => {
    const model = await startScriptedModel();
    model.play(slow(60_000, proposes([])));
    const env = { DATA_DIR: join(folder(), 'data'), PORT: '0', ADMIN_API_KEY: 'chosen', NAME_MODEL_URL: model.url };
    const service = spawnCommand(['serve'], env, 30_000);
    const url = (await service.prints(/Serving on http:\/\/\S+/)).slice('Serving on '.length);
    const admin = httpClient(url, 'chosen');
    await expectOk(admin.post('/v1/accounts/admin/credits', { amount: 100, reason: 'for a test' }));
    await createCall(admin, 'call', [1, 'Hello, my name is Ada Lovelace.']);
    const outcome = admin
      .post('/v2/audios/call/speaker-name-inference', { target_speaker_ids: [1] })
      .then(() => 'answered')
      .catch(() => 'cut off');
    const { hostname, port } = new URL(url);
    const begun = [
      'GET /healthz HTTP/1.1\r\nHos',
      'POST /v2/videos HTTP/1.1\r\nHost: x\r\nX-API-Key: chosen\r\nContent-Length: 20\r\n\r\n{',
      'POST / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\nContent-Length: 20\r\n\r\n{',
      'GET /v2/realtime/results HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    ].map((text) =>
      connect(Number(port), hostname, function (this: { write: (text: string) => void }) {
        this.write(text);
      }).on('error', () => undefined),
    );
    while (model.requests.length === 0) await setTimeout(5);
    const start = performance.now();
    service.signal('SIGTERM');
    const { code } = await service.ended;
    expect(code).to.equal(0);
    expect(performance.now() - start).to.be.below(10_000);
    expect(await outcome).to.equal('cut off');
    begun.forEach((socket) => socket.destroy());
    await model.close();
  });

  it('works under npm start, and npm exits with 0, also where a shell stands between', async () => {
    const start = (await ownPackage()).scripts.start.replace('adapters/cli/set-up.mjs', bin);
    await writeFile(join(folder(), 'package.json'), JSON.stringify({ name: 'started', scripts: { start } }));
    await writeFile(join(folder(), 'shell'), '#!/bin/sh\nshift\neval "$1"\nexit $?\n');
    await chmod(join(folder(), 'shell'), 0o755);
    const npm = spawn('npm', ['start'], {
      cwd: folder(),
      env: { PATH: process.env['PATH'], HOME: folder(), PORT: '0', npm_config_script_shell: join(folder(), 'shell') },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let out = '';
    npm.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
    await until('it serves', () => /Serving on http:\S+\n/.test(out));
    npm.kill('SIGTERM');
    expect(await once(npm, 'exit')).to.deep.equal([0, null]);
    const [, url = ''] = /Serving on (http:\S+)\n/.exec(out) ?? [];
    expect(await fetch(url).catch(() => 'refused')).to.equal('refused');
  });
});

describe('an outdated Node.js', () => {
  it('is refused at once with a message, by the command line and by the set-up script', async () => {
    const { engines } = await ownPackage();
    expect(engines.node).to.equal('>=20');
    const old =
      "data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'18.20.8'}})";
    const setUp = fileURLToPath(new URL('adapters/cli/set-up.mjs', root));
    for (const args of [[bin, 'serve'], [setUp]]) {
      const child = spawn(process.execPath, ['--import', old, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
      let said = '';
      child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
      child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
      await once(child, 'close');
      expect(child.exitCode).to.equal(1);
      expect(said).to.equal(`error: media-analysis needs Node.js 20 or later; this is 18.20.8, ${process.execPath}\n`);
    }
  });
});
