import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { ranHere } from '../support/e2e/command.js';
import { foundIn } from '../support/erasure/bytes.js';
import { type HttpClient, httpClient } from '../support/http-client.js';
import { times } from '../support/long-form.js';
import { type ServiceProcess, adminKey, startServiceProcess } from '../support/service-process.js';

const rounds = times(1, 40);
const perRound = 5;
const wordOf = (id: string): string => `Persimmon ${id} Kandl`;

/** The ids of erasures that were asked for, and of those whose answer came. */
interface Erasing {
  readonly asked: ReadonlyArray<string>;
  readonly acknowledged: ReadonlySet<string>;
}

/** Registers videos and erases them, until the service is gone. */
const eraseUntilKilled = async (client: HttpClient, service: ServiceProcess, round: number): Promise<Erasing> => {
  const asked = Array.from({ length: perRound }, (_, index) => `r${round}v${index}`);
  for (const id of asked) {
    await client.post('/v2/videos', { video_id: id, title: wordOf(id) });
    await client.post('/v2/audios', { audio_id: `${id}a`, video_id: id, title: wordOf(id) });
  }
  const acknowledged = new Set<string>();
  const erasing = asked.map(async (id) => {
    for (const path of [`/v2/audios/${id}a`, `/v2/videos/${id}`]) {
      const answer = await client.delete(path).catch(() => null);
      if (answer?.status === 200) acknowledged.add(path);
    }
  });
  await setTimeout(Math.random() * 120);
  await service.kill();
  await Promise.all(erasing);
  return { asked, acknowledged };
};

describe('erasures that kills interrupt', function () {
  this.timeout(600_000);

  it('are complete or were never begun, and the log is whole', async () => {
    if (process.env['TEST_EVENT_STORE'] !== undefined) return;
    const folder = await mkdtemp(join(tmpdir(), 'media-analysis-erasure-'));
    for (let round = 0; round < rounds; round += 1) {
      const service = await startServiceProcess(folder);
      const { asked, acknowledged } = await eraseUntilKilled(httpClient(service.url, adminKey), service, round);
      const again = await startServiceProcess(folder);
      const client = httpClient(again.url, adminKey);
      for (const id of asked) {
        const paths = [`/v2/audios/${id}a`, `/v2/videos/${id}`];
        const statuses = await Promise.all(paths.map(async (path) => (await client.get(path)).status));
        paths.forEach((path, index) => {
          if (acknowledged.has(path)) expect(statuses[index], path).to.equal(410);
          else expect(statuses[index], path).to.be.oneOf([200, 410]);
        });
        if (statuses.every((status) => status === 410)) expect(await foundIn(folder, [wordOf(id)])).to.deep.equal([]);
      }
      await again.stop();
    }
    const verified = await ranHere(['audit', 'verify'], { DATA_DIR: folder });
    expect(verified.code, verified.out).to.equal(0);
    await rm(folder, { recursive: true });
  });
});
