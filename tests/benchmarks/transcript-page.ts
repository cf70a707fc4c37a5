import { loadavg } from 'node:os';
import * as t from 'io-ts';
import { temporaryFolder } from '../support/event-store/temporary-sqlite.js';
import { bodyOf, httpClient } from '../support/http-client.js';
import { adminKey, startServiceProcess } from '../support/service-process.js';
import { processorOf } from './support/process-usage.js';
import { count } from './support/figures.js';

// Pages of a transcript: `node dist/tests/benchmarks/transcript-page.js [utterances] [pages]`. How long a client waits for
// a page of 1,000 utterances, anywhere in the transcript, and for one that a speaker and a time select.

const utterances = count(0, 100_000, 5_000);
const pages = count(1, 300, 20);
const perPage = 1_000;
const speakers = 4;

const Page = t.type({
  transcript: t.readonlyArray(t.type({ index: t.number })),
  next_cursor: t.union([t.string, t.null]),
});

const { path, remove } = await temporaryFolder();
const service = await startServiceProcess(path);
const admin = httpClient(service.url, adminKey);

let worked = 0;
const timed = async (query: string): Promise<{ readonly ms: number; readonly page: t.TypeOf<typeof Page> }> => {
  const from = performance.now();
  const answer = await admin.get(`/v2/audios/a/transcript?limit=${perPage}${query}`);
  return { ms: performance.now() - from, page: bodyOf(Page, answer) };
};

/** What a client waited for, and the service's processor time a page, which a busy machine hardly changes. */
const report = (name: string, times: ReadonlyArray<number>): void => {
  const work = processorOf(service.pid) - worked;
  worked += work;
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number): string => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(1);
  console.log(`${name}: median ${at(0.5)} ms, 90 % within ${at(0.9)} ms, worst ${at(1)} ms of ${sorted.length}`);
  console.log(`  processor time of the service: ${(work / times.length).toFixed(1)} ms a page`);
};

try {
  await admin.post('/v2/audios', { audio_id: 'a' });
  const said = Array.from({ length: utterances }, (_, n) => ({
    speaker_id: n % speakers,
    start: n * 2,
    end: n * 2 + 1.8,
    text: `This is what speaker ${n % speakers} says as utterance ${n}, in about as many words as people use.`,
  }));
  const sent = await admin.put('/v2/audios/a/analysis', {
    status: 'completed',
    speakers: Array.from({ length: speakers }, (_, speaker_id) => ({ speaker_id })),
    segments: said.map(({ speaker_id, start, end }) => ({ speaker_id, start, end })),
    transcript: said,
  });
  if (sent.status !== 200) throw new Error(sent.text);
  console.log(`a page of ${perPage} of ${utterances} utterances; load ${loadavg()[0]?.toFixed(1)}`);
  worked = processorOf(service.pid);
  const cursors = [''];
  const first: number[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const { ms, page } = await timed(cursor);
    first.push(ms);
    cursor = page.next_cursor === null ? null : `&cursor=${encodeURIComponent(page.next_cursor)}`;
    if (cursor !== null) cursors.push(cursor);
  }
  report('read for the first time, one after the other', first);
  const again: number[] = [];
  for (let n = 0; n < pages; n += 1)
    again.push((await timed(cursors[Math.floor(Math.random() * cursors.length)] ?? '')).ms);
  report('again, at random', again);
  const selected: number[] = [];
  for (let n = 0; n < pages; n += 1) {
    const from = Math.floor(Math.random() * utterances);
    selected.push((await timed(`&speaker_id=1&from=${from}&to=${from + perPage * speakers * 2}`)).ms);
  }
  report('of one speaker, from a time on', selected);
} finally {
  await service.stop();
  await remove();
}
