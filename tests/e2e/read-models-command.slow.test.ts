import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import * as t from 'io-ts';
import { type Ended, spawnCommand, runCommand } from '../support/e2e/command.js';
import { expectOk } from '../support/e2e/media.js';
import { eventStoreOf, removeData } from '../support/engine.js';
import { temporaryFolder } from '../support/event-store/stores.js';
import { httpClient } from '../support/http-client.js';
import { shortLivedNodeOptions } from '../support/processes.js';
import {
  type ServiceInProcess,
  adminKey,
  startServiceInProcess,
  startServiceProcess,
} from '../support/service-process.js';

const Report = t.type({
  state: t.string,
  position: t.union([t.string, t.null]),
  head: t.union([t.string, t.null]),
  behind: t.union([t.number, t.null]),
  versions: t.record(t.string, t.number),
  rows: t.record(t.string, t.number),
});

describe('media-analysis read-models', function () {
  this.timeout(120_000);
  let folder = '';
  let rows = '';
  let service: ServiceInProcess;
  let run: typeof runHere;
  beforeEach(async () => {
    ({ path: folder } = await temporaryFolder());
    rows = join(folder, 'read-models.db');
    service = await startServiceInProcess(folder);
    run = runHere;
  });
  afterEach(async () => {
    await service.stop();
    await removeData(folder);
  });

  const runHere = async (what: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}): Promise<Ended> =>
    runCommand(['read-models', ...what], { DATA_DIR: folder, EVENT_STORE: await eventStoreOf(folder), ...env });
  const report = async (what: string, env: Readonly<Record<string, string>> = {}) => {
    const { code, out, err } = await run([what, '--json'], env);
    expect(code, err).to.equal(0);
    const status: unknown = JSON.parse(out);
    if (!Report.is(status)) throw new Error(`no report: ${out}`);
    return status;
  };
  const registerVideos = async (...ids: ReadonlyArray<string>): Promise<void> => {
    const admin = httpClient(service.url, adminKey);
    for (const video_id of ids) await expectOk(admin.post('/v2/videos', { video_id }));
    await expectOk(admin.get('/v2/videos'));
  };

  it('reports the state beside a running service, and refuses to remove them', async () => {
    await registerVideos('v1', 'v2');
    const status = await report('status');
    expect(status).to.include({ state: 'current', behind: 0, position: status.head }).and.nested.include({
      'rows.videos': 2,
    });
    expect(status.versions).to.include.keys('videos', 'credits');
    const text = await run(['status']);
    expect(text.out).to.include('of these versions').and.include('up to date').and.include('videos 2');
    // Also when the first service on the folder has ended.
    const other = await startServiceInProcess(folder);
    await service.stop();
    const refused = await run(['rebuild']);
    await other.stop();
    expect(refused).to.include({ code: 1, out: '' });
    expect(refused.err).to.include('a service uses them').and.include('stop it first');
  });

  it('rebuilds them from the log once the service has ended', async () => {
    await registerVideos('v1');
    await service.stop();
    await copyFile(rows, `${rows}.kept`);
    service = await startServiceProcess(folder, { node: shortLivedNodeOptions });
    await registerVideos('v2', 'v3');
    await service.stop();
    await copyFile(`${rows}.kept`, rows);
    // In separate processes, because a process keeps a file that it has opened until it ends.
    run = async (what) =>
      spawnCommand(['read-models', ...what], { DATA_DIR: folder, EVENT_STORE: await eventStoreOf(folder) }).ended;
    expect(await report('status')).to.deep.include({ state: 'current', behind: 2 });
    const anew = await report('rebuild');
    expect(anew).to.include({ state: 'current', behind: 0, position: anew.head });
    expect(anew.rows).to.include({ videos: 3 });
    service = await startServiceProcess(folder, { node: shortLivedNodeOptions });
    expect((await expectOk(httpClient(service.url, adminKey).get('/v2/videos'))).text).to.include('v3');
  });

  it('does not touch other files, and exits with 1 or 2', async () => {
    await service.stop();
    await copyFile(join(folder, 'events.db'), rows);
    const kept = await readFile(rows);
    for (const what of ['status', 'rebuild']) {
      const { code, err } = await run([what]);
      expect(code).to.equal(1);
      expect(err).to.include('it is a database of something else');
    }
    expect((await readFile(rows)).equals(kept)).to.equal(true);
    for (const wrong of [['rebuilt'], ['status', '--yaml']]) expect(await run(wrong)).to.include({ code: 2 });
  });
});
