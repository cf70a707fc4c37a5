import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { eventStoreOf, removeData } from '../support/engine.js';
import { spawnCommand } from '../support/e2e/command.js';
import { expectOk } from '../support/e2e/media.js';
import { type HttpClient, httpClient } from '../support/http-client.js';
import { newSession, pathOf } from '../support/realtime/stage.js';
import { shortLivedNodeOptions } from '../support/processes.js';
import {
  type ServiceProcess,
  adminKey,
  startServiceInProcess,
  startServiceProcess,
} from '../support/service-process.js';

describe('a second service on a data folder', function () {
  this.timeout(120_000);
  let folder: string;
  let first: ServiceProcess;
  let admin: HttpClient;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'media-analysis-'));
    first = await startServiceProcess(folder, { node: shortLivedNodeOptions });
    admin = httpClient(first.url, adminKey);
    await expectOk(admin.post('/v1/accounts/admin/credits', { amount: 10, reason: 'top-up' }));
  });
  after(async () => {
    await first.stop();
    await removeData(folder);
    await rm(folder, { recursive: true, force: true });
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
