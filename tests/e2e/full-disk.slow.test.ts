import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { needs, programOf } from '../support/browser/program.js';
import { eventStoreOf, logProcessOf, removeData, testEngine } from '../support/engine.js';
import { isServerOurs } from '../support/event-store/eventstoredb-process.js';
import { temporaryFolder } from '../support/event-store/stores.js';
import { type HttpClient, httpClient } from '../support/http-client.js';
import { shortLivedNodeOptions } from '../support/processes.js';
import { type ServiceProcess, adminKey, startServiceProcess } from '../support/service-process.js';

const prlimit = programOf('prlimit');

/** Limits the size of the process's files, like a full disk. */
const limitFiles = ({ pid }: Pick<ServiceProcess, 'pid'>, bytes: number | 'unlimited'): void => {
  execFileSync(prlimit ?? '', ['--pid', String(pid), `--fsize=${bytes}:unlimited`]);
};

/** The size of the largest file in a folder with this prefix. */
const largestFile = (folder: string, name: string): number =>
  Math.max(...readdirSync(folder).map((file) => (file.startsWith(name) ? statSync(join(folder, file)).size : 0)));

const start = async (path: string): Promise<ServiceProcess> => {
  const store = await eventStoreOf(path);
  // With this a refusal takes one second instead of five.
  const EVENT_STORE = testEngine === 'esdb' ? `${store}&defaultDeadline=1000` : store;
  return startServiceProcess(path, { node: shortLivedNodeOptions, env: { LOG_LEVEL: 'fatal', EVENT_STORE } });
};

const register = async (client: HttpClient, video_id: string): Promise<number> =>
  (await client.post('/v2/videos', { video_id, title: 'x'.repeat(500) })).status;

const untilWritten = async (client: HttpClient, id: string): Promise<number> => {
  const end = performance.now() + 15_000;
  for (let attempt = 0; performance.now() < end; attempt += 1) {
    const status = await register(client, `${id}-${attempt}`);
    if (status === 200) return status;
    await setTimeout(200);
  }
  return 0;
};

const found = async (client: HttpClient, ids: ReadonlyArray<string>): Promise<ReadonlyArray<number>> => {
  const statuses: number[] = [];
  for (const id of ids) {
    // On a busy machine a store may not answer in time, so only the existence of the video is checked.
    let { status } = await client.get(`/v2/videos/${id}`);
    for (; status === 503; { status } = await client.get(`/v2/videos/${id}`)) await setTimeout(50);
    statuses.push(status);
  }
  return statuses;
};

describe('a full disk', function () {
  this.timeout(120_000);
  before(function () {
    needs(this, prlimit, 'prlimit', 'apt-get install -y util-linux');
  });

  it('refuses writes with 503, loses no acknowledged one, and works again once there is space', async function () {
    // The vendor's server ends by itself on a full disk, until there is space.
    if (!isServerOurs) return this.skip();
    const { path } = await temporaryFolder();
    let service = await start(path);
    try {
      const client = httpClient(service.url, adminKey);
      const writer = (await logProcessOf(path)) ?? service;
      expect(await register(client, 'before')).to.equal(200);
      limitFiles(writer, largestFile(path, writer === service ? '' : 'events.db') + 100_000);
      const statuses = new Map<string, number>();
      for (let at = 0; at < 400 && [...statuses.values()].filter((status) => status !== 200).length < 10; at += 1)
        statuses.set(`video-${at}`, await register(client, `video-${at}`));
      expect([...new Set(statuses.values())]).to.have.members([200, 503]);
      expect((await client.get('/healthz')).status).to.equal(200);

      limitFiles(writer, 'unlimited');
      expect(await untilWritten(client, 'after')).to.equal(200);
      const kept = ['before', ...[...statuses].flatMap(([id, status]) => (status === 200 ? [id] : []))];
      expect(new Set(await found(client, kept))).to.deep.equal(new Set([200]));

      await service.stop();
      service = await start(path);
      expect(new Set(await found(httpClient(service.url, adminKey), kept))).to.deep.equal(new Set([200]));
    } finally {
      await service.kill();
      await removeData(path);
    }
  });
});
