import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as t from 'io-ts';
import { type HttpClient, httpClient } from '../support/http-client.js';
import { temporaryFolder } from '../support/event-store/temporary-sqlite.js';
import { startHttpEngine } from '../support/realtime/http-engine.js';
import { type NewSession, newSession, pathOf, sessionPath } from '../support/realtime/stage.js';
import { adminKey, startServiceProcess } from '../support/service-process.js';
import { median, percentile, quick } from './support/figures.js';
import { processorSeconds } from './support/processor.js';

/* Creating realtime sessions: while 50 run with results four times a second, and 1,000 at once where 50 can be had. */

const running = quick ? 10 : 50;
const rounds = quick ? 1 : 5;
const creations = quick ? 20 : 1_000;
const burstSize = quick ? 100 : 1_000;

const engine = await startHttpEngine();
const service = async (max_sessions: number) => {
  const { path, remove } = await temporaryFolder();
  const env = {
    REALTIME_ENGINE_URL: engine.url,
    REALTIME_MAX_SESSIONS: String(max_sessions),
    REALTIME_MAX_SESSIONS_PER_ACCOUNT: String(max_sessions),
  };
  const started = await startServiceProcess(path, { env });
  const client = httpClient(started.url, adminKey);
  await client.post('/v1/accounts/admin/credits', { amount: 1_000_000, reason: 'for a benchmark' });
  return { ...started, client, remove };
};

const timed = async <Result>(task: () => Promise<Result>): Promise<readonly [Result, number]> => {
  const start = performance.now();
  return [await task(), performance.now() - start];
};

const connected = async (client: HttpClient): Promise<NewSession> => {
  const session = await newSession(client);
  await client.post(pathOf(session, '/offer'), { type: 'offer', sdp: 'v=0\r\n' });
  return session;
};

/** Milliseconds of each creation, one after the other, each ended again. */
const whileOthersRun = async (): Promise<ReadonlyArray<number>> => {
  const { client, stop, remove } = await service(running + 10);
  const sessions = await Promise.all(Array.from({ length: running }, () => connected(client)));
  let second = 0;
  const results = setInterval(() => {
    const report = { kind: 'voice_activity', start: second, end: (second += 0.25), speaking: true, level_dbfs: -30 };
    sessions.forEach(({ session_id }) => engine.write(session_id, `${JSON.stringify(report)}\n`));
  }, 250);
  const times: number[] = [];
  for (let index = 0; index < creations; index += 1) {
    const [session, took] = await timed(() => newSession(client));
    times.push(took);
    await client.post(pathOf(session, '/end'));
  }
  clearInterval(results);
  await stop();
  await remove();
  return times;
};

const BurstFigures = t.type({ created: t.number, busy: t.number, slowest_created: t.number, slowest_busy: t.number });
const burstScript = fileURLToPath(new URL('./support/burst-process.js', import.meta.url));

/** 1,000 connections that request a session at the same moment, with 50 free slots. Returns the slowest answers in milliseconds. */
const atOnce = async () => {
  const { stop, remove, port, pid, url } = await service(running);
  const before = processorSeconds(pid);
  const { stdout } = await promisify(execFile)(process.execPath, [
    burstScript,
    String(port),
    adminKey,
    sessionPath,
    String(burstSize),
  ]);
  const processor_ms = (processorSeconds(pid) - before) * 1_000;
  const { status } = await httpClient(url, null).get('/v2/realtime/health');
  await stop();
  await remove();
  const figures: unknown = JSON.parse(stdout);
  if (!BurstFigures.is(figures)) throw new Error(`unexpected output of the clients: ${stdout}`);
  return { ...figures, processor_ms, health: status };
};

const idle: number[] = [];
for (let round = 0; round < rounds; round += 1) {
  const times = await whileOthersRun();
  idle.push(percentile(times, 99));
  console.log(
    `creation while ${running} run: p50 ${percentile(times, 50).toFixed(1)} ms, p99 ${percentile(times, 99).toFixed(1)} ms`,
  );
}
const bursts: Awaited<ReturnType<typeof atOnce>>[] = [];
for (let round = 0; round < rounds; round += 1) bursts.push(await atOnce());
console.log(`median p99 of creation while ${running} run: ${median(idle).toFixed(1)} ms`);
console.table(bursts);
console.log(
  `median of the slowest 503 of ${burstSize} at once: ${median(bursts.map(({ slowest_busy }) => slowest_busy)).toFixed(0)} ms`,
);
await engine.close();
if (bursts.some(({ created, busy, health }) => created !== running || busy !== burstSize - running || health !== 200))
  throw new Error('the capacity was not kept');
