import { execFile } from 'node:child_process';
import { chmodSync, cpSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import Database from 'libsql';
import { expect } from 'chai';
import { openSqliteEventStore } from '../../adapters/event-store/sqlite/open.js';
import { spawnCommand, startCommand } from '../support/e2e/command.js';
import { expectOk } from '../support/e2e/media.js';
import { eventStoreOf, removeData } from '../support/engine.js';
import { newEvents, succeeded, temporaryFolder } from '../support/event-store/stores.js';
import { type HttpClient, httpClient } from '../support/http-client.js';
import { newSession, pathOf } from '../support/realtime/stage.js';
import { shortLivedNodeOptions } from '../support/processes.js';
import {
  type ServiceInProcess,
  type ServiceProcess,
  adminKey,
  startServiceInProcess,
  startServiceProcess,
} from '../support/service-process.js';

/** Uses the embedded log, whichever engine the suites run on. */
describe('data files', function () {
  this.timeout(120_000);
  let folder = '';
  let data = '';
  let service: ServiceInProcess;
  const EVENT_STORE = 'sqlite';
  const start = async () => {
    service = await startServiceInProcess(data, { EVENT_STORE });
    return httpClient(service.url, adminKey);
  };
  const serve = (...options: ReadonlyArray<string>) =>
    startCommand(['serve', ...options], { DATA_DIR: data, EVENT_STORE, PORT: '0', ADMIN_API_KEY: adminKey });
  before(async () => {
    ({ path: folder } = await temporaryFolder());
    data = join(folder, 'data');
    service = await startServiceProcess(data, { node: shortLivedNodeOptions, env: { EVENT_STORE } });
    const client = httpClient(service.url, adminKey);
    for (const video_id of ['v1', 'v2'])
      await expectOk(client.post('/v2/videos', { video_id, title: `title of ${video_id}` }));
    await expectOk(client.get('/v2/videos'));
  });
  after(async () => {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const modes = () =>
    readdirSync(data).map((name) => `${name} ${(statSync(join(data, name)).mode & 0o777).toString(8)}`);

  it('are accessible to their owner only, as is a folder that the service creates', async () => {
    expect(statSync(data).mode & 0o777).to.equal(0o700);
    expect(modes()).to.include('events.db-wal 600').and.to.include('read-models.db-wal 600');
    expect(modes().filter((mode) => !mode.endsWith(' 600'))).to.deep.equal([]);
  });

  it('let a durable registration be answered and a revoked key be refused, also while the read models cannot be written', async () => {
    const client = httpClient(service.url, adminKey);
    await expectOk(client.post('/v1/accounts', { account_id: 'o1' }));
    const { body } = await expectOk(client.post('/v1/accounts/o1/keys', {}));
    const key = typeof body === 'object' && body !== null ? body : {};
    const other = httpClient(service.url, 'key' in key ? String(key.key) : '');
    await expectOk(other.get('/v2/videos'));
    const lock = new Database(join(data, 'read-models.db'));
    lock.exec('BEGIN IMMEDIATE');
    try {
      const registered = await client.post('/v2/videos', { video_id: 'v3' });
      expect([registered.status, registered.headers.get('ETag')]).to.deep.equal([200, '"0"']);
      const revoked = await client.delete(`/v1/accounts/o1/keys/${'key_id' in key ? String(key.key_id) : ''}`);
      expect(revoked.status).to.equal(200);
      expect((await other.post('/v2/videos', { video_id: 'v4' })).status).to.equal(401);
    } finally {
      lock.exec('ROLLBACK');
      lock.close();
    }
    await setTimeout(100);
    await expectOk(client.get('/v2/videos/v3'));
  });

  it('are refused when the log is older than the read models, until it is accepted', async () => {
    await service.stop();
    for (const name of ['events.db', 'read-models.db', 'instance-id']) chmodSync(join(data, name), 0o644);
    const whole = join(folder, 'whole');
    cpSync(data, whole, { recursive: true });
    ['', '-wal', '-shm'].forEach((suffix) => rmSync(join(data, `events.db${suffix}`), { force: true }));
    const missing = await serve().ended;
    expect(missing.code).to.equal(1);
    expect(missing.err).to.match(/but there is no log .*events\.db\. .*serve --accept-log/s);
    expect(readdirSync(data)).not.to.include('events.db');
    const fresh = serve('--accept-log');
    await fresh.prints(/Serving on/);
    fresh.signal('SIGTERM');
    expect((await fresh.ended).code).to.equal(0);
    ['', '-wal', '-shm'].forEach((suffix) => rmSync(join(data, `read-models.db${suffix}`), { force: true }));
    cpSync(join(whole, 'read-models.db'), join(data, 'read-models.db'));
    const emptied = await serve().ended;
    expect(emptied.code).to.equal(1);
    expect(emptied.err).to.match(/up to position 0+\d+, .* but the log is another one, .*serve --accept-log/s);
    rmSync(data, { recursive: true });
    cpSync(whole, data, { recursive: true });
    await start();
    // What others could read is made private.
    expect(modes().filter((mode) => !mode.endsWith(' 600'))).to.deep.equal([]);
  });
});

describe('a second service on a data folder', function () {
  this.timeout(120_000);
  let folder: string;
  let first: ServiceProcess;
  let admin: HttpClient;
  before(async () => {
    ({ path: folder } = await temporaryFolder());
    first = await startServiceProcess(folder, { node: shortLivedNodeOptions });
    admin = httpClient(first.url, adminKey);
    await expectOk(admin.post('/v1/accounts/admin/credits', { amount: 10, reason: 'top-up' }));
  });
  after(async () => {
    await first.stop();
    await removeData(folder);
  });

  it('ends no session of the first, whether it serves or its port is in use', async () => {
    const session = await newSession(admin);
    const EVENT_STORE = await eventStoreOf(folder);
    const env = { DATA_DIR: folder, EVENT_STORE, ADMIN_API_KEY: adminKey, PORT: String(first.port) };
    const { code, err } = await spawnCommand(['serve'], env).ended;
    expect(code).to.equal(1);
    expect(err).to.match(/another service runs on this data folder/);
    expect((await admin.get(pathOf(session))).body).to.include({ status: 'created' });
    const second = await startServiceInProcess(folder);
    expect((await admin.get(pathOf(session))).body).to.include({ status: 'created' });
    await second.stop();
    expect((await admin.get(pathOf(session))).body).to.include({ status: 'created' });
  });

  it('gets the instance id of the folder once the first has ended, and ends its sessions', async () => {
    const session = await newSession(admin);
    await first.kill();
    first = await startServiceProcess(folder, { node: shortLivedNodeOptions });
    admin = httpClient(first.url, adminKey);
    expect((await admin.get(pathOf(session))).status).to.equal(404);
  });
});

const bin = fileURLToPath(new URL('../../adapters/bin.js', import.meta.url));

/** Root may write everywhere, so the command runs as a user without files. */
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

const ran = (args: ReadonlyArray<string>) =>
  new Promise<string>((resolve) => {
    execFile(process.execPath, [bin, ...args], nobody, (_error, out, err) => resolve(out + err));
  });

describe('a read-only copy of a log', function () {
  this.timeout(60_000);

  it('can be listed and verified', async function () {
    if (!(await ran(['--version'])).match(/^\d/)) return this.skip();
    const folder = await temporaryFolder();
    const file = join(folder.path, 'a copy.db');
    const { store, close } = openSqliteEventStore({ file });
    await succeeded(store.append('video-1', 'no_stream', newEvents(3)));
    await close();
    chmodSync(file, 0o444);
    chmodSync(folder.path, 0o555);
    expect(await ran(['audit', 'verify', '--file', file])).to.match(
      /3 events in 1 streams?.*\n.*\n(?:.*\n)?Nothing is wrong/,
    );
    expect(await ran(['audit', 'log', '--file', file])).to.match(/video-1@2/);
    chmodSync(folder.path, 0o755);
    await folder.remove();
  });
});
