import { get } from 'node:http';
import { loadavg } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import * as t from 'io-ts';
import { temporaryFolder } from '../support/event-store/temporary-sqlite.js';
import { bodyOf, httpClient } from '../support/http-client.js';
import { adminKey, startServiceProcess } from '../support/service-process.js';
import { memoryOf, processorOf } from './support/process-usage.js';

// Requests that wait for a run: `node dist/tests/benchmarks/run-waits.js [requests] [rounds]`. What a waiting request takes of
// the service's memory, and how long the run's end takes to reach all of them; in the first round the service is cold.

const waiting = Number(process.argv[2] ?? 1_000);
const rounds = Number(process.argv[3] ?? 3);
const settle_ms = 3_000;

/** Resolves with the time at which the answer had come. */
const answeredAt = (url: string): Promise<number> =>
  new Promise((resolve, reject) => {
    get(url, { agent: false, headers: { 'X-API-Key': adminKey } }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`answered ${response.statusCode}`));
      response.resume().on('end', () => resolve(performance.now()));
    }).on('error', reject);
  });

const { path, remove } = await temporaryFolder();
const service = await startServiceProcess(path);
try {
  const admin = httpClient(service.url, adminKey);
  const video = '/v2/videos/v';
  await admin.post('/v2/videos', { video_id: 'v' });
  await admin.post('/v2/audios', { audio_id: 'a', video_id: 'v' });
  await admin.put(`${video}/analysis`, { status: 'completed', faces: [{ id: 1, tracks: [] }] });
  await admin.put('/v2/audios/a/analysis', { status: 'completed', speakers: [{ speaker_id: 1 }], segments: [] });
  console.log(`${waiting} waiting requests, ${rounds} times; load ${loadavg()[0]?.toFixed(1)}`);
  for (let round = 0; round < rounds; round += 1) {
    const { run_id } = bodyOf(
      t.type({ run_id: t.string }),
      await admin.post(`${video}/speaker-face-match/suggestions`, {}),
    );
    const wait = `${service.url}${video}/match-runs/${run_id}?wait=30`;
    await setTimeout(settle_ms);
    const before = memoryOf(service.pid);
    const answers = Promise.all(Array.from({ length: waiting }, () => answeredAt(wait)));
    await setTimeout(settle_ms);
    const during = memoryOf(service.pid);
    const matches = [{ face_id: 1, speaker_id: 1, accuracy: 0.5 }];
    const worked = processorOf(service.pid);
    const sent = performance.now();
    const ended = admin.put(`${video}/matched_speakers`, { run_id, matches }).then(() => performance.now());
    const times = (await answers).toSorted((a, b) => a - b);
    const written = await ended;
    const work = processorOf(service.pid) - worked;
    const [first = 0, last = 0] = [times[0], times.at(-1)];
    const memory = during - before;
    console.log(
      `round ${round + 1}: ${memory.toFixed(1)} MB for all, ${((memory * 1_024) / waiting).toFixed(1)} kB each;`,
      `write-back answered after ${(written - sent).toFixed(0)} ms;`,
      `the first heard of it after ${(first - sent).toFixed(0)} ms, the last ${(last - first).toFixed(0)} ms later;`,
      `processor time of the service ${work.toFixed(0)} ms`,
    );
  }
} finally {
  await service.stop();
  await remove();
}
