import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { httpClient } from '../support/http-client.js';
import { startServiceProcess } from '../support/service-process.js';
import { temporaryFolder } from '../support/event-store/temporary-sqlite.js';
import { count, whole } from './support/figures.js';
import { underLoad } from './support/load.js';
import { issueKey, registerMedia } from './support/media.js';

/* Where PUT speaker-face-match spends its time with 64 clients: the functions with the most self time. */

const Profile = t.type({
  nodes: t.array(
    t.type({
      id: t.number,
      callFrame: t.type({ functionName: t.string, url: t.string, lineNumber: t.number }),
    }),
  ),
  samples: t.array(t.number),
  timeDeltas: t.array(t.number),
});

const clients = count(1, 64, 8);
const shown = count(0, 40, 5);
const profiles = await mkdtemp(join(tmpdir(), 'profile-'));
const { path, remove } = await temporaryFolder();
const service = await startServiceProcess(path, {
  node: ['--cpu-prof', `--cpu-prof-dir=${profiles}`, '--cpu-prof-interval=500'],
});
const key = await issueKey(service.url, 'bench');
for (let number = 0; number < clients; number += 1) await registerMedia(httpClient(service.url, key), `v${number}`);
const load = { port: service.port, key, clients, prefix: 'v', one_video: process.argv.includes('--one-video') };
const figures = await underLoad({ ...load, milliseconds: 8_000 });
await service.stop();
const [file = ''] = await readdir(profiles);
const profile = Profile.decode(JSON.parse(await readFile(join(profiles, file), 'utf8')));
await rm(profiles, { recursive: true });
await remove();
if (E.isLeft(profile)) throw new Error('no profile was written');

const { nodes, samples, timeDeltas } = profile.right;
const names = new Map(
  nodes.map(({ id, callFrame: { functionName, url, lineNumber } }) => [
    id,
    `${functionName || '(anonymous)'} ${url.split('/').slice(-3).join('/')}:${lineNumber + 1}`,
  ]),
);
const own = new Map<string, number>();
samples.forEach((id, index) => {
  const name = names.get(id) ?? '';
  own.set(name, (own.get(name) ?? 0) + (timeDeltas[index] ?? 0) / 1_000);
});
console.log(`${whole(figures.per_second)} PUTs/s under the profiler`);
console.table(
  [...own]
    .sort(([, a], [, b]) => b - a)
    .slice(0, shown)
    .map(([name, ms]) => ({
      name,
      ms: Math.round(ms),
      'ms per 1,000 PUTs': Math.round((ms * 125) / figures.per_second),
    })),
);
