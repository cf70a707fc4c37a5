import { parseArgs } from 'node:util';
import { setTimeout } from 'node:timers/promises';
import * as fc from 'fast-check';
import { newKey } from '../support/accounts.js';
import { temporaryFolder } from '../support/event-store/temporary-sqlite.js';
import { httpClient } from '../support/http-client.js';
import { fuzzSocket } from '../support/realtime/fuzz-socket.js';
import { randomFrom } from '../support/realtime/random.js';
import { adminKey, startServiceProcess } from '../support/service-process.js';
import { endpointTable } from './endpoint-table.js';
import { type Usage, reportsMemory, usageOf } from './heap.js';
import { judge, judgeEnded } from './judge.js';
import { openConnection, sendOnNewConnection } from './connection.js';
import { type Generated, type Names, type WireRequest, requestsTo } from './requests.js';
import { createTally } from './tally.js';
import { setting } from './setting.js';

/*
 * Sends nearly valid requests to every endpoint of a running service, and messages to its results sockets. A fault is: status
 * 500, an unexpected 503, no answer, an answer that breaks the contract, or memory that grows. Exits with 1 if there are
 * faults.
 *
 * --requests=20000  number of requests
 * --seed=           repeats a run
 * --at=             prints and sends only this request of the seed
 */

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '20000' },
    seed: { type: 'string' },
    at: { type: 'string' },
  },
});
const total = Number(values.requests);
const seed = Number(values.seed ?? Date.now() % 1_000_000_000);
const only = values.at === undefined ? null : Number(values.at);

const batch = 100;
const concurrency = 16;
/** Number of requests that share accounts and media. After that, keys are revoked, sessions ended and media damaged. */
const share = 2_000;
/** Number of requests in a pipelined group. */
const pipelined = 5;
const megabyte = 1_048_576;
/** Limits of memory growth in bytes, from a quarter of the requests to the end. */
const maxGrowth = { heap: 48 * megabyte, rss: 160 * megabyte };

const arbitrary = requestsTo(await endpointTable());
const batchOf = (number: number): ReadonlyArray<Generated> =>
  fc.sample(arbitrary, { seed: seed + number, numRuns: batch });

const { path: data_dir, remove } = await temporaryFolder();
const { node, env } = reportsMemory(data_dir);
const service = await startServiceProcess(data_dir, {
  node,
  env: {
    ...env,
    LOG_LEVEL: 'fatal',
    MATCH_WORKER: 'embedded',
    REALTIME_MAX_SESSIONS: '400',
    /* Long enough for the fuzz of sockets on a busy machine, short enough to free what requests leave behind. */
    REALTIME_NEGOTIATION_SECONDS: '30',
    REALTIME_IDLE_SECONDS: '30',
  },
});
const { url, port } = service;
const tally = createTally();

const settings = new Map<number, Promise<Names>>();
const namesFor = (index: number): Promise<Names> => {
  const number = Math.floor(index / share);
  const names = settings.get(number) ?? setting(url, number);
  settings.set(number, names);
  return names;
};

interface Numbered {
  readonly index: number;
  readonly request: WireRequest;
}

const numbered = async (from: number): Promise<ReadonlyArray<Numbered>> => {
  const names = await namesFor(from);
  return batchOf(from / batch).map((make, at) => ({ index: from + at, request: make(names) }));
};

const serveOne = async (
  connection: ReturnType<typeof openConnection>,
  group: ReadonlyArray<Numbered>,
): Promise<void> => {
  const whole = group.filter(({ request }) => request.whole);
  for (const { index, request } of group.filter((one) => !one.request.whole)) {
    const ended = await sendOnNewConnection(port, request);
    tally.add(index, request, ended.answers[0]?.status ?? null, judgeEnded(request, ended));
  }
  if (whole.length === 0) return;
  for (const answered of await connection.ask(whole.map(({ request }) => request))) {
    const index = whole.find(({ request }) => request === answered.request)?.index ?? 0;
    tally.add(index, answered.request, answered.answer?.status ?? null, judge(answered));
  }
};

if (only !== null) {
  const one = (await numbered(only - (only % batch))).find(({ index }) => index === only);
  if (one === undefined) throw new Error('no request has this number');
  console.log(JSON.stringify(one.request.bytes.toString('latin1').slice(0, 4_000)));
  const connection = openConnection(port);
  await serveOne(connection, [one]);
  console.log(tally.report());
  connection.close();
  await service.stop();
  await remove();
  process.exit(tally.faults() === 0 ? 0 : 1);
}

/** Sends the requests of a range over several connections. */
const serveRange = async (from: number, to: number): Promise<void> => {
  let next = from;
  const work = async (): Promise<void> => {
    const connection = openConnection(port);
    while (next < to) {
      const first = next;
      next += batch;
      const all = await numbered(first);
      for (let at = 0; at < all.length;) {
        const size = (first / batch + at) % 10 === 0 ? pipelined : 1;
        await serveOne(connection, all.slice(at, at + size));
        at += size;
      }
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: concurrency }, work));
};

const measured = async (): Promise<Usage> => {
  await setTimeout(2_000);
  return usageOf(service.pid, data_dir);
};

const socketAccount = async () => {
  const admin = httpClient(url, adminKey);
  const key = await newKey(admin, 'sockets');
  await admin.post('/v1/accounts/sockets/credits', { amount: 1_000_000, reason: 'for the fuzz' });
  return httpClient(url, key);
};

console.log(`seed ${seed}: ${total} requests`);
const start = performance.now();
const seconds = (): number => (performance.now() - start) / 1_000;
const progress = setInterval(() => {
  console.log(`${tally.count()} in ${seconds().toFixed(0)} s, ${tally.faults()} faults`);
}, 10_000);

const sockets = fuzzSocket(await socketAccount(), Math.floor(total / 20), randomFrom(seed));
await serveRange(0, Math.ceil(total / 4 / batch) * batch);
const early = await measured();
await serveRange(Math.ceil(total / 4 / batch) * batch, total);
const served = seconds();
const { faults, sessions } = await sockets;
const last = await measured();
clearInterval(progress);

for (const fault of faults.slice(0, 10)) tally.note(`a results socket: ${fault}`);
const growth = { heap: last.heapUsed - early.heapUsed, rss: last.rss - early.rss };
if (growth.heap > maxGrowth.heap) tally.note(`the heap grew by ${Math.round(growth.heap / megabyte)} MB`);
if (growth.rss > maxGrowth.rss) tally.note(`resident memory grew by ${Math.round(growth.rss / megabyte)} MB`);
await service.stop();
const how = await service.ended;
if (how !== 0) tally.note(`the service ended with ${how}`);
await remove();

console.log(tally.report());
console.log(
  `${tally.count()} requests in ${served.toFixed(0)} s (${Math.round(tally.count() / served)} a second), ` +
    `${Math.floor(total / 20)} messages to ${sessions} results sockets`,
);
console.log(
  `memory after a quarter of the requests: heap ${Math.round(early.heapUsed / megabyte)} MB, resident ${Math.round(early.rss / megabyte)} MB; ` +
    `at the end: heap ${Math.round(last.heapUsed / megabyte)} MB, resident ${Math.round(last.rss / megabyte)} MB`,
);
console.log(tally.faults() === 0 ? 'no faults' : `${tally.faults()} faults; repeat with --seed=${seed}`);
process.exit(tally.faults() === 0 ? 0 : 1);
