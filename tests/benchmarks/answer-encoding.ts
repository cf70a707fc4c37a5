import { loadavg } from 'node:os';
import type * as t from 'io-ts';
import { encoderOf } from '../../adapters/http/sending/encoding.js';
import { endpointTable } from '../fuzz/endpoint-table.js';
import { temporaryFolder } from '../support/event-store/temporary-sqlite.js';
import { type HttpAnswer, httpClient } from '../support/http-client.js';
import { adminKey, startServiceProcess } from '../support/service-process.js';
import { quick } from './support/figures.js';
import { processorOf } from './support/process-usage.js';

// What encoding answers through their codecs costs: `node dist/tests/benchmarks/answer-encoding.js`. The processor time
// that the service takes for a request, and that of the encoding within it, in one run. Most answers are sent as they are:
// their codecs change nothing. These are the others, and one that is.

const requests = quick ? 100 : 2_000;
const entries = 1_000;
const paths: Readonly<Record<string, string>> = {
  'videos.list': '/v2/videos',
  'me.get': '/v1/me',
  'credits.get': '/v1/accounts/a/credits',
  'credits.usage': '/v1/accounts/a/usage?group_by=day,category',
  'credits.ledger': `/v1/accounts/a/ledger?limit=${entries}`,
};

const { path: folder, remove } = await temporaryFolder();
const service = await startServiceProcess(folder);
const admin = httpClient(service.url, adminKey);

/** Asks without looking at the answer, which would take longer than the service does. */
const ask = async (path: string): Promise<void> => {
  await (await fetch(new URL(path, service.url), { headers: { 'X-API-Key': adminKey } })).arrayBuffer();
};

/** What the service encodes into this answer; entries of the ledger are shown only, and hold their amounts as texts. */
const valueOf = (codec: t.Mixed, answer: HttpAnswer): unknown => {
  const decoded = codec.decode(answer.body);
  if (decoded._tag === 'Right') return decoded.right;
  return JSON.parse(answer.text, (name, value: unknown) =>
    /^(amount|balance_after)$/.test(name) ? String(value) : value,
  );
};

const timeOfRequest = async (path: string, count: number): Promise<number> => {
  for (let n = 0; n < count / 4; n += 1) await ask(path);
  const before = processorOf(service.pid);
  for (let n = 0; n < count; n += 1) await ask(path);
  return (processorOf(service.pid) - before) / count;
};

const timeOfEncoding = (codec: t.Mixed, value: unknown, count: number): number => {
  const encode = encoderOf(codec);
  for (let n = 0; n < count / 4; n += 1) encode(value);
  const before = process.cpuUsage();
  for (let n = 0; n < count; n += 1) encode(value);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / count;
};

try {
  await admin.post('/v1/accounts', { account_id: 'a' });
  await admin.post('/v2/videos', { title: 'A video' });
  for (let n = 0; n < (quick ? 20 : entries); n += 1)
    await admin.post('/v1/accounts/a/credits', { amount: 1.5, reason: `entry ${n}` });
  const table = await endpointTable();
  console.log(`processor time in ms, load ${loadavg()[0]?.toFixed(1)}`);
  for (const [operation, path] of Object.entries(paths)) {
    const codec = table.find((one) => one.operation === operation)?.answer;
    if (codec === undefined) throw new Error(`there is no ${operation}`);
    const value = valueOf(codec, await admin.get(path));
    const count = operation === 'credits.ledger' ? requests / 10 : requests;
    const [request, encoding] = [await timeOfRequest(path, count), timeOfEncoding(codec, value, count)];
    const ratio = (request - encoding) / request;
    console.log(
      `${operation.padEnd(15)} request ${request.toFixed(3)}, encoding ${encoding.toFixed(4)}: ${ratio.toFixed(3)} of the throughput without`,
    );
  }
} finally {
  await service.stop();
  await remove();
}
