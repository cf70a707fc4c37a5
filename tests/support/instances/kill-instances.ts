import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import * as t from 'io-ts';
import { expectOk } from '../e2e/media.js';
import { createCall } from '../e2e/naming.js';
import { succeeded } from '../event-store/stores.js';
import type { Version } from '../event-store/versions.js';
import { type HttpClient, NoAnswerError, bodyOf } from '../http-client.js';
import { lostRequests, wrongAnswers, type WholeLog, expectedRuns, faultsOfLog, settledLog } from '../kill-nine/log.js';
import { type Load, sendOnly, registerPair, startClients } from '../kill-nine/rounds.js';
import {
  answeredRuns,
  wrongAnswers as wrongInferences,
  wrongCharges,
  wrongSums,
  shownBooks,
} from '../ledger-kill/check.js';
import { type Inference, type Operations, noOperations, sendInference } from '../ledger-kill/operations.js';
import { type Instances, startInstances } from './running-instances.js';

const Audio = t.type({ speakers: t.array(t.type({ name: t.union([t.string, t.null]) })) });

const account = 'admin';

/** Creates an audio for name inference, and gives the account enough credits. */
const prepareInference = async (client: HttpClient): Promise<void> => {
  await expectOk(client.post(`/v1/accounts/${account}/credits`, { amount: 10_000, reason: 'for a test' }));
  await createCall(client, 'call', [1, 'Hello, my name is Ada Lovelace.'], [2, 'Hi Ada.']);
};

/** Sends one request with an idempotency key to two instances at once. */
const inferTwice = async (operations: Operations, ...clients: ReadonlyArray<HttpClient>): Promise<void> => {
  const inference: Inference = {
    account,
    path: '/v2/audios/call/speaker-name-inference/suggestions',
    body: { target_speaker_ids: [1] },
    key: randomUUID(),
    request_ids: [],
    answers: [],
  };
  operations.inferences.push(inference);
  await Promise.allSettled(clients.map((client) => sendInference(client, operations, inference)));
};

/** Creates an audio that only one client writes to. */
const prepareOwn = (client: HttpClient): Promise<unknown> =>
  expectOk(
    client
      .post('/v2/audios', { audio_id: 'own' })
      .then(() =>
        client.put('/v2/audios/own/analysis', { status: 'completed', speakers: [{ speaker_id: 1 }], segments: [] }),
      ),
  );

/** Writes on one instance and reads on another with the position of the write, which must show it. Returns the fault. */
const readOwnWrite = async (writer: HttpClient, reader: HttpClient): Promise<string | null> => {
  const name = `Name ${randomUUID().slice(0, 8)}`;
  try {
    const written = await writer.put('/v1/audios/own/speakers/names', [{ speaker_id: 1, name }]);
    const position = written.headers.get('X-Event-Position');
    if (written.status === 503) return null;
    if (written.status !== 200 || position === null) return `a name was answered ${written.status}: ${written.text}`;
    const read = await reader.get('/v2/audios/own', { 'X-Min-Position': position });
    if (read.status === 503) return null;
    const shown = bodyOf(Audio, read).speakers[0]?.name;
    return shown === name ? null : `${name}, written at ${position}, is ${shown} on another instance`;
  } catch (error) {
    if (error instanceof NoAnswerError) return null;
    throw error;
  }
};

/** Runs that a worker should have answered but did not. The stored status does not show them: after a commit run it stays `queue`. */
const unansweredRuns = ({ streams }: WholeLog): ReadonlyArray<string> =>
  Object.entries(streams).flatMap(([stream, events]) =>
    Object.entries(expectedRuns(events))
      .filter(([, { outcome, superseded_by }]) => outcome === null && superseded_by === null)
      .map(([run_id]) => `the run ${run_id} of ${stream} was not answered`),
  );

interface KilledInstances {
  readonly kills: number;
  readonly acknowledged: number;
  readonly runs: number;
  readonly events: number;
  readonly violations: ReadonlyArray<string>;
}

interface KillInstances {
  readonly instances: number;
  /** Duration of the load. */
  readonly milliseconds: number;
  /** Clients of each instance. */
  readonly clients: number;
  /** Also freezes instances, and kills and freezes the server. */
  readonly everything?: boolean;
  readonly version?: Version | null;
  readonly onKill?: (kills: number, acknowledged: number) => void;
}

const media = ['shared-1', 'shared-2', 'shared-3'];
/** Longer than the time after which an unacknowledged event goes to another consumer, and than a sweep's interval. */
const patience_ms = 600_000;

/** Sends requests to each instance, to two at once, and across instances, until the signal is aborted. */
const startLoad = (instances: Instances, count: number, clients: number, signal: AbortSignal) => {
  const loads: Load[] = [];
  const operations = noOperations();
  const any = (): HttpClient => instances.client(Math.floor(Math.random() * count));
  const startClientsOf = (instance: number): void => {
    loads.push(startClients(instances.client(instance), clients, media));
  };
  const repeat = async (work: () => Promise<void>): Promise<void> => {
    while (!signal.aborted) await work();
  };
  Array.from({ length: count }, (_, instance) => startClientsOf(instance));
  const across = Promise.all([
    repeat(() => inferTwice(operations, any(), any())),
    repeat(() => inferTwice(operations, any(), any())),
    repeat(async () => {
      const fault = await readOwnWrite(any(), any());
      if (fault !== null) operations.faults.push(fault);
      await setTimeout(5);
    }),
  ]);
  return { loads, operations, startClientsOf, across };
};

/** An instance may answer 503 for a moment; any other status from 500 on is a fault. */
const isFault = (fault: string): boolean => !fault.includes('answered 503');

/** Random faults: an instance is killed; with `everything`, instances or the server may also be frozen or killed. */
const randomFaults = (
  instances: Instances,
  count: number,
  startClientsOf: (instance: number) => void,
  everything: boolean,
) => {
  const any = (): number => Math.floor(Math.random() * count);
  const killOne = async (): Promise<void> => {
    const victim = any();
    await instances.kill(victim);
    await instances.restart(victim);
    startClientsOf(victim);
  };
  const others = [
    killOne,
    () => instances.freeze(any(), 500 + Math.random() * 7_000),
    () => instances.killServer(),
    () => instances.freezeServer(500 + Math.random() * 7_000),
  ];
  const kinds = [killOne, ...(everything ? others : [])];
  return async (): Promise<void> => kinds[Math.floor(Math.random() * kinds.length)]?.();
};

/** Repeatedly kills and restarts random instances under load, then checks every invariant. */
export const killInstances = async (settings: KillInstances): Promise<KilledInstances> => {
  const { instances: count, milliseconds, clients, everything = false, version = null, onKill } = settings;
  const instances = await startInstances(count, {
    node: [],
    version,
    ...(everything ? { env: { MATCH_WORKER: 'embedded' } } : {}),
  });
  const send = sendOnly(instances.client(0));
  for (const id of media) await registerPair(send, id);
  await prepareInference(instances.client(0));
  await prepareOwn(instances.client(0));
  const stop = new AbortController();
  const { loads, operations, startClientsOf, across } = startLoad(instances, count, clients, stop.signal);
  const end = performance.now() + milliseconds;
  const injectFault = randomFaults(instances, count, startClientsOf, everything);
  let kills = 0;
  while (performance.now() < end) {
    await setTimeout(500 + Math.random() * 2_000);
    await injectFault();
    kills += 1;
    onKill?.(
      kills,
      loads.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0),
    );
  }
  stop.abort();
  await across;
  for (let instance = 0; instance < count; instance += 1) {
    await instances.kill(instance);
    await instances.restart(instance);
  }
  await Promise.all(loads.map(({ ended }) => ended));
  const log = await settledLog(instances.store, patience_ms, everything ? unansweredRuns : undefined);
  const head = (await succeeded(instances.store.head())) ?? '';
  const answers: string[] = [];
  for (let instance = 0; instance < count; instance += 1) {
    const client = instances.client(instance);
    await client.get('/v2/videos', { 'X-Min-Position': head });
    const book = { account, ...(await shownBooks(client, account)) };
    answers.push(
      ...(await wrongAnswers(client, log, '')),
      ...wrongSums(book),
      ...wrongCharges(log, operations, [book]),
    );
  }
  await instances.end();
  return {
    kills,
    acknowledged: loads.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0),
    runs: answeredRuns(log).size,
    events: log.events.length,
    violations: [
      ...[operations, ...loads].flatMap(({ faults }) => faults.filter(isFault)),
      ...wrongInferences(log, operations.inferences),
      ...faultsOfLog(log),
      ...loads.flatMap(({ acknowledged }) => lostRequests(log, acknowledged)),
      ...(everything ? unansweredRuns(log) : []),
      ...instances.faults(),
      ...answers,
    ],
  };
};
