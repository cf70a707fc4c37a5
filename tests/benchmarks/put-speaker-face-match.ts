import { fileURLToPath } from 'node:url';
import { httpClient } from '../support/http-client.js';
import { startProgram, startServiceProcess } from '../support/service-process.js';
import { temporaryFolder } from '../support/event-store/stores.js';
import { median, quick, whole } from './support/figures.js';
import { processorSeconds } from '../support/processes.js';
import { type LoadFigures, underLoad } from './support/load.js';
import { issueKey, registerMedia } from './support/media.js';

/* Durable PUT speaker-face-match over HTTP, beside the same PUT written the plain way, interleaved in one run. */

const rounds = quick ? 1 : 5;
const milliseconds = quick ? 500 : 3_000;
const videos = 64;

const cases = [
  { name: '1 client', clients: 1, one_video: false },
  { name: '64 clients, 64 videos', clients: 64, one_video: false },
  { name: '64 clients, one video', clients: 64, one_video: true },
] as const;

const { path, remove } = await temporaryFolder();
const service = await startServiceProcess(path);
const key = await issueKey(service.url, 'bench');
const client = httpClient(service.url, key);
for (let number = 0; number < videos; number += 1) await registerMedia(client, `v${number}`);
const script = fileURLToPath(new URL('./peers/plain-peer.js', import.meta.url));
const peer = await startProgram({ script: [script, path, String(videos), key] });

/** `processor`: milliseconds of processor time for each change; other programs on the machine alter it little. */
type Measured = LoadFigures & { readonly processor: number };

const figures = new Map<string, Measured[]>();
// The first round warms both up, where figures are wanted.
for (let round = quick ? 1 : 0; round < rounds + 1; round += 1) {
  for (const { name, clients, one_video } of cases)
    for (const [who, { port, pid }] of [
      ['ours', service],
      ['peer', peer],
    ] as const) {
      const before = processorSeconds(pid);
      const load = { port, key, clients, prefix: 'v', one_video, milliseconds: round === 0 ? 500 : milliseconds };
      const loaded = await underLoad(load);
      const processor = ((processorSeconds(pid) - before) * 1_000) / loaded.changed;
      const measured = { ...loaded, processor };
      if (measured.failed > 0) throw new Error(`${who}, ${name}: ${measured.failed} requests failed`);
      if (round > 0) figures.set(`${who} ${name}`, [...(figures.get(`${who} ${name}`) ?? []), measured]);
    }
}
await service.stop();
await peer.stop();
await remove();

const middle = (who: string, name: string, pick: (measured: Measured) => number): number =>
  median((figures.get(`${who} ${name}`) ?? []).map(pick));

console.log('PUT speaker-face-match, durable');
console.table(
  Object.fromEntries(
    cases.map(({ name }) => {
      const [ours, plain] = ['ours', 'peer'].map((who) => middle(who, name, ({ per_second }) => per_second));
      return [
        name,
        {
          'ours /s': whole(ours ?? 0),
          'peer /s': whole(plain ?? 0),
          ratio: Number(((ours ?? 0) / (plain ?? 1)).toFixed(2)),
          'ours p50 ms': Number(middle('ours', name, ({ p50 }) => p50).toFixed(2)),
          'ours p99 ms': Number(middle('ours', name, ({ p99 }) => p99).toFixed(2)),
          'peer p50 ms': Number(middle('peer', name, ({ p50 }) => p50).toFixed(2)),
          'ours CPU ms': Number(middle('ours', name, ({ processor }) => processor).toFixed(3)),
          'peer CPU ms': Number(middle('peer', name, ({ processor }) => processor).toFixed(3)),
          'peer p99 ms': Number(middle('peer', name, ({ p99 }) => p99).toFixed(2)),
        },
      ];
    }),
  ),
);
