import { chmodSync, cpSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import Database from 'libsql';
import { expect } from 'chai';
import { startCommand } from '../support/e2e/command.js';
import { expectOk } from '../support/e2e/media.js';
import { temporaryFolder } from '../support/event-store/stores.js';
import { httpClient } from '../support/http-client.js';
import { shortLivedNodeOptions } from '../support/processes.js';
import {
  type ServiceInProcess,
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

  it('that others can read are made private at the next start', async () => {
    await service.stop();
    for (const name of ['events.db', 'read-models.db', 'instance-id']) chmodSync(join(data, name), 0o644);
    await start();
    expect(modes().filter((mode) => !mode.endsWith(' 600'))).to.deep.equal([]);
  });

  it('are refused when the log is older than the read models, until it is accepted', async () => {
    await service.stop();
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
  });

  it('of a log that was damaged when the service ended by force are refused at the start', async () => {
    const client = httpClient(service.url, adminKey);
    await expectOk(client.post('/v2/videos', { video_id: 'v5' }));
    const killed = join(folder, 'killed');
    cpSync(data, killed, { recursive: true });
    const file = join(killed, 'events.db');
    writeFileSync(file, readFileSync(file).fill(0, 4_096));
    const { code, err } = await startCommand(['serve'], { DATA_DIR: killed, EVENT_STORE, PORT: '0' }).ended;
    expect(code).to.equal(1);
    expect(err).to.match(/the event log .*events\.db is damaged: .*Restore it from a backup.*audit verify/s);
  });
});
