import { setTimeout } from 'node:timers/promises';
import { grant, openNamingApi, createRecording, suggestPath } from '../support/e2e/naming.js';
import { expectOk } from '../support/e2e/media.js';
import { slow } from '../support/name-model/behaviours.js';
import { quick } from './support/figures.js';

/* 64 name inferences at once, against a model that takes 2 s, and what other requests feel of it. */

const calls = quick ? 8 : 64;
const modelSeconds = quick ? 0.5 : 2;
const naming = await openNamingApi({ name_model_timeout_seconds: 30 });
const { api, model } = naming;
await grant(api, 'owner', 1_000);
const media = await createRecording(api);
model.play(slow(modelSeconds * 1_000));

const start = performance.now();
const over = new AbortController();
const inferences = Promise.all(
  Array.from({ length: calls }, () => expectOk(api.owner.post(suggestPath(media), { target_speaker_ids: [1, 2] }))),
).finally(() => over.abort());
const waits: Array<number> = [];
while (!over.signal.aborted) {
  const start = performance.now();
  await expectOk(api.owner.get(media.audio));
  waits.push(performance.now() - start);
  await setTimeout(5);
}
await inferences;
waits.sort((a, b) => a - b);
const at = (share: number): string => (waits[Math.floor(share * (waits.length - 1))] ?? 0).toFixed(1);
console.log(
  `${calls} inferences against a model of ${modelSeconds} s: all answered after ${(performance.now() - start).toFixed(0)} ms; ` +
    `meanwhile ${waits.length} GETs, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`,
);
await api.world.end();
await model.close();
