import { statSync } from 'node:fs';
import { join } from 'node:path';
import { startServiceProcess } from '../support/service-process.js';
import { temporaryFolder } from '../support/event-store/temporary-sqlite.js';
import { median, percentile, quick, took, whole } from './support/figures.js';
import { forEachAtOnce, keepAliveClient } from './support/keep-alive.js';
import { issueKey } from './support/media.js';
import { residentOf } from './support/process-usage.js';
import { processorSeconds } from './support/processor.js';

/* A million tags imported over 10,000 videos, 100 a request, and GETs of videos with many tags. */

const videos = quick ? 500 : 10_000;
const clients = 16;
const perRequest = 100;
const asks = quick ? 50 : 300;
/** Tags of the heaviest videos. */
const many = 2_000;
/** So many that the read models cannot keep them all at hand. */
const heavies = quick ? 2 : 16;
const heavyIds = Array.from({ length: heavies }, (_, number) => `heavy${number}`);

const { path, remove } = await temporaryFolder();
const service = await startServiceProcess(path);
const client = keepAliveClient(service.port, await issueKey(service.url, 'bench'), clients);

const post = async (to: string, body: object): Promise<void> => {
  const { status } = await client.send('POST', to, JSON.stringify(body));
  if (status !== 200) throw new Error(`POST ${to}: answered ${status}`);
};
const tag = (index: number, turn: number) => ({ key: `survey.wave_1.question_${index}`, value: `answer ${turn}` });
const tagsFrom = (first: number, count: number, turn: number) =>
  Array.from({ length: count }, (_, index) => tag(first + index, turn));
const importTags = (video: string, tags: ReadonlyArray<object>): Promise<void> =>
  post(`/v2/videos/${video}/provider-tags`, { source: 'importer.bench', tags });

const importAll = async (turn: number): Promise<object> => {
  const before = processorSeconds(service.pid);
  const ms = await took(() =>
    forEachAtOnce(videos, clients, (number) => importTags(`v${number}`, tagsFrom(0, perRequest, turn))),
  );
  return {
    'tags/s': whole((videos * perRequest * 1_000) / ms),
    'requests/s': whole((videos * 1_000) / ms),
    'CPU µs a tag': Number((((processorSeconds(service.pid) - before) * 1e6) / (videos * perRequest)).toFixed(1)),
    'service MB': whole(residentOf(service.pid)),
  };
};

/** Milliseconds of sequential GETs, of each video in turn. */
const get = async (...paths: ReadonlyArray<string>): Promise<object> => {
  const times: number[] = [];
  let size = 0;
  const before = processorSeconds(service.pid);
  for (let turn = 0; turn < asks; turn += 1) {
    const { status, ms, bytes } = await client.send('GET', paths[turn % paths.length] ?? '');
    if (status !== 200) throw new Error(`GET ${paths.join()}: answered ${status}`);
    times.push(ms);
    size = bytes;
  }
  const rounded = (ms: number): number => Number(ms.toFixed(2));
  return {
    'p50 ms': rounded(median(times)),
    'p99 ms': rounded(percentile(times, 99)),
    'CPU ms': rounded(((processorSeconds(service.pid) - before) * 1_000) / asks),
    kB: whole(size / 1_000),
  };
};

await forEachAtOnce(videos, clients, (number) => post('/v2/videos', { video_id: `v${number}` }));
await Promise.all(heavyIds.map((video_id) => post('/v2/videos', { video_id })));
await post('/v2/videos', { video_id: 'bare' });

console.log(
  `${whole(videos * perRequest)} tags over ${whole(videos)} videos, ${perRequest} a request, ${clients} clients`,
);
console.table({
  'each new': await importAll(1),
  'each changed': await importAll(2),
  'none changed': await importAll(2),
});
const mb = (file: string): string => whole(statSync(join(path, file)).size / 1e6);
console.log(`events.db ${mb('events.db')} MB, read-models.db ${mb('read-models.db')} MB`);

const thousand = 1_000;
const heavy = await took(async () => {
  for (let first = 0; first < many; first += thousand)
    await Promise.all(heavyIds.map((id) => importTags(id, tagsFrom(first, thousand, 1))));
});
const single: number[] = [];
for (let turn = 0; turn < asks; turn += 1)
  single.push(await took(() => importTags('heavy0', [tag((turn * 997) % many, turn + 10)])));
console.log(
  `${whole(heavies * many)} tags over ${heavies} videos, 1,000 a request: ${whole((heavies * many * 1_000) / heavy)} tags/s; ` +
    `then one tag of 10,000: p50 ${median(single).toFixed(2)} ms`,
);
const video = (id: string): string => `/v2/videos/${id}`;
console.table({
  'video without tags': await get(video('bare')),
  'videos with 100 tags': await get(...Array.from({ length: 50 }, (_, index) => video(`v${index * 3}`))),
  'video with 2,000 tags': await get(video('heavy1')),
  'its tags alone': await get(`${video('heavy1')}/tags`),
  [`${heavies} such videos in turn`]: await get(...heavyIds.map(video)),
});
client.close();
await service.stop();
await remove();
