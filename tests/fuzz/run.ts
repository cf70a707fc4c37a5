import { parseArgs } from 'node:util';
import * as fc from 'fast-check';
import { endpoints } from '../../adapters/http/endpoints.js';
import { type FuzzRequest, type Generated, type Names, requestsTo } from './requests.js';
import { setting } from './setting.js';
import { temporaryFolder } from '../support/event-store/stores.js';
import { codeOf, faultOfForm, type HttpAnswer, NoAnswerError, sendRequest } from '../support/http-client.js';
import { peakMemoryOf } from '../support/processes.js';
import { startServiceProcess } from '../support/service-process.js';

/** Whether the contract permits a 503 for such a request. */
const isMeant = ({ waits, label }: FuzzRequest, text: string): boolean => {
  const code = codeOf(text);
  return (waits && code === 'read_model_behind') || (label === 'POST /v2/realtime/session' && code === 'at_capacity');
};

/** The fault of an answer; null if there is none. */
const judge = (request: FuzzRequest, answer: Omit<HttpAnswer, 'body'>): string | null => {
  const { status, text } = answer;
  if (status >= 500 && !(status === 503 && isMeant(request, text))) return `${status} ${text.slice(0, 200)}`;
  /* Redirects are those of the example page; preflights have no body; an answer to HEAD has none either. */
  if (status < 400 || request.method === 'HEAD') return null;
  const fault = faultOfForm({ status, text, headers: Object.fromEntries(answer.headers) });
  return fault === null ? null : `${fault}: ${status} ${text.slice(0, 200)}`;
};

/*
 * Sends nearly valid requests to every endpoint of a running service. A fault is: status 500, an unexpected 503, no answer,
 * an answer that breaks the contract, or the end of the service: what requests leave in memory exhausts its small heap.
 * Exits with 1 if there are faults.
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
/** Of the service, in MB: three times what it takes. */
const heapLimit = 224;
const maxShown = 40;

const arbitrary = requestsTo(endpoints);
const batchOf = (number: number): ReadonlyArray<Generated> =>
  fc.sample(arbitrary, { seed: seed + number, numRuns: batch });

const { path: data_dir, remove } = await temporaryFolder();
const service = await startServiceProcess(data_dir, {
  node: [`--max-old-space-size=${heapLimit}`],
  env: {
    LOG_LEVEL: 'fatal',
    MATCH_WORKER: 'embedded',
    REALTIME_MAX_SESSIONS: '400',
    /* Short enough to free what requests leave behind. */
    REALTIME_NEGOTIATION_SECONDS: '30',
    REALTIME_IDLE_SECONDS: '30',
  },
});
const { url } = service;

const statuses = new Map<number, number>();
let faults = 0;
const note = (fault: string): void => {
  faults += 1;
  if (faults <= maxShown) console.log(fault);
};

const settings = new Map<number, Promise<Names>>();
const namesFor = (index: number): Promise<Names> => {
  const number = Math.floor(index / share);
  const names = settings.get(number) ?? setting(url, number);
  settings.set(number, names);
  return names;
};

const send = async (index: number, request: FuzzRequest): Promise<void> => {
  const at = `--at=${index} ${request.label}`;
  try {
    const answer = await sendRequest(url, request);
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    const fault = judge(request, answer);
    if (fault !== null) note(`${at}: ${fault}`);
  } catch (error) {
    if (!(error instanceof NoAnswerError)) throw error;
    note(`${at}: ${error.message}`);
  }
};

/** Sends the requests, several at the same time. */
const sendAll = async (): Promise<void> => {
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < total) {
      const first = next;
      next += batch;
      const names = await namesFor(first);
      for (const [at, make] of batchOf(first / batch).entries()) await send(first + at, make(names));
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
};

if (only !== null) {
  const request = batchOf(Math.floor(only / batch))[only % batch]?.(await namesFor(only));
  if (request === undefined) throw new Error('no request has this number');
  console.log(request);
  await send(only, request);
} else {
  console.log(`seed ${seed}: ${total} requests`);
  await sendAll();
  console.log(`at most ${Math.round(peakMemoryOf(service.pid))} MB of memory`);
}
await service.stop();
const ended = await service.ended;
if (ended !== 0) note(`the service ended with ${ended}`);
await remove();

const answers = [...statuses].toSorted(([, one], [, other]) => other - one);
console.log(`answers: ${answers.map(([status, times]) => `${status} ×${times}`).join(', ')}`);
console.log(faults === 0 ? 'no faults' : `${faults} faults; repeat with --seed=${seed}`);
process.exit(faults === 0 ? 0 : 1);
