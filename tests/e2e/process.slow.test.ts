import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Command, spawnCommand, startCommand, runCommand } from '../support/e2e/command.js';
import { until, useFolder } from '../support/event-store/stores.js';
import { httpClient } from '../support/http-client.js';

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

  it('creates no key if ADMIN_API_KEY is set, and accepts that one', async () => {
    const service = serveHere({ ADMIN_API_KEY: 'chosen' });
    const url = await urlOf(service);
    expect((await httpClient(url, 'chosen').get('/v2/videos')).status).to.equal(200);
    const { code, out } = await stopped(service);
    expect(code).to.equal(0);
    expect(out).not.to.include('mak_');
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
    service.signal('SIGTERM');
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
    expect((await service.ended).code).to.equal(0);
    expect(performance.now() - start).to.be.below(9_000);
  });

  it('also ends on SIGINT, at once if no request is in progress', async () => {
    const service = serve();
    const url = await urlOf(service);
    await fetch(`${url}/healthz`);
    const start = performance.now();
    service.signal('SIGINT');
    expect((await service.ended).code).to.equal(0);
    expect(performance.now() - start).to.be.below(9_000);
  });

  it('reports a HOST that is not an address of this machine or cannot be resolved, and creates no data', async () => {
    const wanted = 'HOST must be an address of this machine, or a name that resolves to one';
    for (const [host, fault] of [
      ['203.0.113.1', 'is not an address of this machine\n'],
      ['999.1.1.1', 'cannot be resolved'],
    ] as const) {
      const { code, err } = await serveHere({ HOST: host }).ended;
      expect(code).to.equal(2);
      expect(err.startsWith(`The configuration is wrong:\n  ${wanted}: ${host} ${fault}`), err).to.equal(true);
    }
    expect(await readdir(folder())).to.deep.equal([]);
  });

  it('reports that its port is in use', async () => {
    const service = serveHere();
    const { port } = new URL(await urlOf(service));
    const second = await serve({ PORT: port, DATA_DIR: join(folder(), 'other') }).ended;
    expect(second.code).to.equal(1);
    expect(second.err)
      .to.match(/in use/)
      .and.to.include(port);
    expect(second.err).not.to.match(/\n\s+at /);
    await stopped(service);
  });

  it('reports in a message what it cannot use', async () => {
    const file = join(folder(), 'a-file');
    await writeFile(file, 'no database');
    await mkdir(join(folder(), 'taken', 'events.db'), { recursive: true });
    const wanted = 'DATA_DIR must be a folder, or a path where one can be created';
    for (const [env, exit, message] of [
      [{ DATA_DIR: file }, 2, `The configuration is wrong:\n  ${wanted}: ${file} is not a folder\n`],
      [
        { DATA_DIR: join(folder(), 'taken') },
        1,
        `error: Cannot open the event log ${folder()}/taken/events.db: it is a folder\n`,
      ],
    ] as const) {
      const { code, err } = await serveHere(env).ended;
      expect([code, err]).to.deep.equal([exit, message]);
    }
  });

  it('prints help, and refuses unknown commands', async () => {
    for (const args of ['--help', 'serve --help', 'demo --help', 'import --help', 'help serve']) {
      const { code, out } = await runCommand(args.split(' '));
      expect(code).to.equal(0);
      expect(out).to.include('Usage:');
    }
    for (const args of ['no-such', 'audit no-such', 'serve --no-such', 'demo --no-such', 'serve extra', 'import']) {
      const { code, err } = await runCommand(args.split(' '));
      expect(code, args).to.equal(2);
      expect(err).to.match(/^error: .*\n(?:Use --help for usage\.\n)?$/);
    }
    const [help, unknown] = await Promise.all([spawnCommand(['--help']).ended, spawnCommand(['no-such']).ended]);
    expect([help.code, unknown.code]).to.deep.equal([0, 2]);
    expect((await runCommand(['--version'])).out).to.match(/^\d+\.\d+\.\d+\n$/);
  });
});
