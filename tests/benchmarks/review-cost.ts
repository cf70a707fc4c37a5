import { loadavg } from 'node:os';
import * as t from 'io-ts';
import { temporaryFolder } from '../support/event-store/temporary-sqlite.js';
import { bodyOf, httpClient } from '../support/http-client.js';
import { adminKey, startServiceProcess } from '../support/service-process.js';
import { processorOf } from './support/process-usage.js';
import { count } from './support/figures.js';

// The cost of the next question: `node dist/tests/benchmarks/review-cost.js [videos] [requests]`. One page of one question
// of an account with so many reviewed videos, and of a video with 200 faces and 50 speakers; after a decision each time, so
// that the questions were worked out anew.

const videos = count(0, 10_000, 50);
const requests = count(1, 100, 5);
const atOnce = 40;

const { path, remove } = await temporaryFolder();
const service = await startServiceProcess(path);
const admin = httpClient(service.url, adminKey);

const done = async (answering: ReturnType<typeof admin.get>): Promise<unknown> => {
  const { status, text, body } = await answering;
  if (status !== 200) throw new Error(`${status}: ${text}`);
  return body;
};

/** A video with a suggest run that a worker answered, every speaker with two faces that compete. */
const reviewed = async (id: string, faces: number, speakers: number): Promise<void> => {
  const [video, audio] = [`/v2/videos/${id}`, `/v2/audios/${id}-sound`];
  await done(admin.post('/v2/videos', { video_id: id }));
  await done(admin.post('/v2/audios', { audio_id: `${id}-sound`, video_id: id }));
  const ids = (count: number) => Array.from({ length: count }, (_, n) => n);
  const seen = ids(faces).map((face) => ({ id: face, tracks: [{ start: face, end: face + 2 }] }));
  await done(admin.put(`${video}/analysis`, { status: 'completed', faces: seen }));
  const analysis = { speakers: ids(speakers).map((speaker_id) => ({ speaker_id })), segments: [] };
  await done(admin.put(`${audio}/analysis`, { status: 'completed', ...analysis }));
  const run = await admin.post(`${video}/speaker-face-match/suggestions`, {});
  const { run_id } = bodyOf(t.type({ run_id: t.string }), run);
  const matches = ids(speakers - 1).map((speaker_id) => ({
    face_id: speaker_id,
    speaker_id,
    accuracy: 0.5 + (((speaker_id * 7) % 40) + Math.random()) / 100,
    evidence: { runner_up: { face_id: speaker_id + 1, accuracy: 0.3 } },
  }));
  const candidates = ids(5).map((face_id) => ({ face_id, accuracy: 0.15 }));
  const unmatched_speakers = [{ speaker_id: speakers - 1, reason: 'ambiguous', nobody: 0.4, candidates }];
  await done(admin.put(`${video}/matched_speakers`, { run_id, matches, unmatched_speakers }));
};

const Questions = t.type({ questions: t.readonlyArray(t.type({ video_id: t.string, speaker_id: t.number })) });

/** Requests the next question, decides it, and so on. Returns the time of the question requests. */
const measure = async (name: string, query: string): Promise<void> => {
  const times: number[] = [];
  let work = 0;
  for (let n = 0; n < requests; n += 1) {
    const worked = processorOf(service.pid);
    const from = performance.now();
    const { questions } = bodyOf(Questions, await admin.get(`/v2/review?limit=1${query}`));
    times.push(performance.now() - from);
    work += processorOf(service.pid) - worked;
    const [next] = questions;
    if (next === undefined) break;
    const decisions = [{ speaker_id: next.speaker_id, face_id: null, verdict: 'confirmed' }];
    await done(admin.post(`/v2/videos/${next.video_id}/speaker-face-match/decisions`, { decisions }));
  }
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): string => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(1);
  console.log(`${name}: median ${at(0.5)} ms, 90 % within ${at(0.9)} ms, worst ${at(1)} ms of ${sorted.length}`);
  console.log(`  processor time of the service: ${(work / times.length).toFixed(1)} ms a question`);
};

try {
  console.log(`load ${loadavg()[0]?.toFixed(1)}`);
  await reviewed('large', 200, 50);
  await measure('the next question of a video with 200 faces and 50 speakers', '&video_id=large');
  const left = Array.from({ length: videos }, (_, n) => `v${n}`);
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let id = left.pop(); id !== undefined; id = left.pop()) await reviewed(id, 5, 4);
    }),
  );
  await measure(`the next question of an account with ${videos} videos`, '');
} finally {
  await service.stop();
  await remove();
}
