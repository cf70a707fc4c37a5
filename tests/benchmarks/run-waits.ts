import { connect } from 'node:net';
import { loadavg } from 'node:os';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import * as t from 'io-ts';
import { temporaryFolder } from '../support/event-store/temporary-sqlite.js';
import { bodyOf, httpClient } from '../support/http-client.js';
import { type ServiceProcess, adminKey, startProgram, startServiceProcess } from '../support/service-process.js';
import { mainThreadOf, memoryOf } from './support/process-usage.js';
import { count, quick } from './support/figures.js';

/*
 * Requests that wait for a run: `node dist/tests/benchmarks/run-waits.js [requests] [rounds]`. What a waiting request takes
 * of the service's memory, and how long the run's end takes to reach all of them, beside node's own server that ends as
 * many with the same text; in the first round both are cold. On connections that end with the answer, and on such that stay.
 */

const waiting = count(0, 1_000, 50);
const rounds = count(1, 3, 1);
const settle_ms = quick ? 300 : 3_000;
/** Time after the last answer until all resulting work is done. */
const after_ms = 1_000;

interface Answered {
  readonly at: number;
  readonly text: string;
}

/** Asks over a connection of its own, and reads no more of the answer than when it came: reading it costs more than that. */
const answered = ({ hostname, port, pathname, search }: URL, connection: string): Promise<Answered> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    const headers = `Host: ${hostname}\r\nX-API-Key: ${adminKey}\r\nConnection: ${connection}\r\n`;
    socket.write(`GET ${pathname}${search} HTTP/1.1\r\n${headers}\r\n`);
    socket.once('error', reject).once('data', (bytes) => {
      const at = performance.now();
      setTimeout(settle_ms, undefined, { ref: false }).then(() => socket.destroy(), reject);
      const [head = '', text = ''] = bytes.toString().split('\r\n\r\n');
      if (head.startsWith('HTTP/1.1 200')) resolve({ at, text });
      else reject(new Error(head));
    });
  });

/** Starts waiting requests, ends the run, and prints how long the answers took. Returns their text. */
const round = async (
  name: string,
  { pid }: ServiceProcess,
  url: string,
  end: () => Promise<unknown>,
  connection: string,
): Promise<string> => {
  await setTimeout(settle_ms);
  const before = memoryOf(pid);
  const answers = Promise.all(Array.from({ length: waiting }, () => answered(new URL(url), connection)));
  await setTimeout(settle_ms);
  const memory = memoryOf(pid) - before;
  const worked = mainThreadOf(pid);
  const sent = performance.now();
  const ended = end().then(() => performance.now());
  const all = await answers;
  const untilLast = mainThreadOf(pid) - worked;
  await setTimeout(after_ms);
  const whole = mainThreadOf(pid) - worked;
  const times = all.map(({ at }) => at).toSorted((a, b) => a - b);
  const written = await ended;
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  console.log(
    `${name}: ${memory.toFixed(1)} MB for all, ${((memory * 1_024) / waiting).toFixed(1)} kB each;`,
    `write-back answered after ${(written - sent).toFixed(0)} ms;`,
    `the first was notified after ${(first - sent).toFixed(0)} ms, the last ${(last - first).toFixed(0)} ms later;`,
    `its main thread worked ${untilLast.toFixed(0)} ms until then, ${whole.toFixed(0)} ms with what came after`,
  );
  return all[0]?.text ?? '';
};

const { path, remove } = await temporaryFolder();
const service = await startServiceProcess(path);
const bare = await startProgram({ script: [fileURLToPath(new URL('./peers/bare-waits.js', import.meta.url))] });
try {
  const admin = httpClient(service.url, adminKey);
  const video = '/v2/videos/v';
  await admin.post('/v2/videos', { video_id: 'v' });
  await admin.post('/v2/audios', { audio_id: 'a', video_id: 'v' });
  await admin.put(`${video}/analysis`, { status: 'completed', faces: [{ id: 1, tracks: [] }] });
  await admin.put('/v2/audios/a/analysis', { status: 'completed', speakers: [{ speaker_id: 1 }], segments: [] });
  console.log(`${waiting} waiting requests, ${rounds} times; load ${loadavg()[0]?.toFixed(1)}`);
  for (const connection of ['close', 'keep-alive']) {
    console.log(`Connection: ${connection}`);
    for (let number = 1; number <= rounds; number += 1) {
      const { run_id } = bodyOf(
        t.type({ run_id: t.string }),
        await admin.post(`${video}/speaker-face-match/suggestions`, {}),
      );
      const matches = [{ face_id: 1, speaker_id: 1, accuracy: 0.5 }];
      const text = await round(
        `  round ${number}, the service`,
        service,
        `${service.url}${video}/match-runs/${run_id}?wait=30`,
        () => admin.put(`${video}/matched_speakers`, { run_id, matches }),
        connection,
      );
      const end = () => fetch(bare.url, { method: 'POST', body: text });
      await round(`  round ${number}, a bare server`, bare, bare.url, end, connection);
    }
  }
} finally {
  await Promise.all([service.stop(), bare.stop()]);
  await remove();
}
