import { setTimeout } from 'node:timers/promises';
import type { Version } from '../event-store/versions.js';
import { succeeded } from '../event-store/outcomes.js';
import type { HttpClient } from '../http-client.js';
import { lost } from '../kill-nine/acknowledged.js';
import { wrongAnswers } from '../kill-nine/answers.js';
import { type Load, plainly, registerPair, startClients } from '../kill-nine/clients.js';
import { type WholeLog, gaps, halfDone, halfLinked, readLog } from '../kill-nine/log.js';
import { type Money, askTwice, prepareMoney, wrongMoney } from './money.js';
import { prepareOwn, readOwnWrite } from './own-writes.js';
import { unansweredRuns } from './unanswered-runs.js';
import { type Instances, startInstances } from './running-instances.js';

export interface KilledInstances {
  readonly kills: number;
  readonly acknowledged: number;
  readonly runs: number;
  readonly events: number;
  readonly violations: ReadonlyArray<string>;
}

interface KillInstances {
  readonly instances: number;
  /** How long the load lasts. */
  readonly milliseconds: number;
  /** Clients of each instance. */
  readonly clients: number;
  /** Freezes instances too, kills and freezes the server, lets it write 10,000 events of its own a minute. */
  readonly everything?: boolean;
  readonly version?: Version | null;
  readonly onKill?: (kills: number, acknowledged: number) => void;
}

const media = ['shared-1', 'shared-2', 'shared-3'];
/** Longer than an event that nobody acknowledges stays with one consumer, and than a sweep waits, on a busy machine. */
const patience_ms = 180_000;

const settledLog = async ({ store }: Instances, everything: boolean): Promise<WholeLog> => {
  const end = performance.now() + patience_ms;
  for (;;) {
    const log = await readLog(store);
    if ([...halfDone(log), ...(everything ? unansweredRuns(log) : [])].length === 0 || performance.now() > end)
      return log;
    await setTimeout(100);
  }
};

/** Load on every instance, on two at once, and across them, until the signal is aborted. */
const startLoad = (instances: Instances, count: number, clients: number, signal: AbortSignal) => {
  const loads: Load[] = [];
  const money: Money = { runs: new Set(), faults: [] };
  const any = (): HttpClient => instances.client(Math.floor(Math.random() * count));
  const begin = (instance: number): void => {
    loads.push(startClients(instances.client(instance), clients, media));
  };
  const repeat = async (work: () => Promise<void>): Promise<void> => {
    while (!signal.aborted) await work();
  };
  Array.from({ length: count }, (_, instance) => begin(instance));
  const across = Promise.all([
    repeat(() => askTwice(money, any(), any())),
    repeat(() => askTwice(money, any(), any())),
    repeat(async () => {
      const fault = await readOwnWrite(any(), any());
      if (fault !== null) money.faults.push(fault);
      await setTimeout(5);
    }),
  ]);
  return { loads, money, begin, across };
};

/** An instance may be out of service for a moment; anything else of 500 and above is a fault. */
const isFault = (fault: string): boolean => !fault.includes('answered 503');

/** What befalls the instances: one is killed, and in the hard form they and the server are frozen or killed. */
const misfortunes = (instances: Instances, count: number, begin: (instance: number) => void, everything: boolean) => {
  const any = (): number => Math.floor(Math.random() * count);
  const killOne = async (): Promise<void> => {
    const victim = any();
    await instances.kill(victim);
    await instances.restart(victim);
    begin(victim);
  };
  const kinds = everything
    ? [
        killOne,
        killOne,
        () => instances.freeze(any(), 500 + Math.random() * 7_000),
        () => instances.killServer(),
        () => instances.freezeServer(500 + Math.random() * 7_000),
      ]
    : [killOne];
  return async (): Promise<void> => kinds[Math.floor(Math.random() * kinds.length)]?.();
};

/** Kills one of several instances at random under load, restarts it, again and again; then looks at every invariant. */
export const killInstances = async (settings: KillInstances): Promise<KilledInstances> => {
  const { instances: count, milliseconds, clients, everything = false, version = null, onKill } = settings;
  const instances = await startInstances(count, {
    node: [],
    version,
    ...(everything ? { env: { MATCH_WORKER: 'embedded' }, systemEventsPerMinute: 10_000 } : {}),
  });
  const send = plainly(instances.client(0));
  for (const id of media) await registerPair(send, id);
  await prepareMoney(instances.client(0));
  await prepareOwn(instances.client(0));
  const stop = new AbortController();
  const { loads, money, begin, across } = startLoad(instances, count, clients, stop.signal);
  const end = performance.now() + milliseconds;
  const befall = misfortunes(instances, count, begin, everything);
  let kills = 0;
  while (performance.now() < end) {
    await setTimeout(500 + Math.random() * 2_000);
    await befall();
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
  const log = await settledLog(instances, everything);
  const head = (await succeeded(instances.store.head())) ?? '';
  const answers: string[] = [];
  for (let instance = 0; instance < count; instance += 1) {
    const client = instances.client(instance);
    await client.get('/v2/videos', { 'X-Min-Position': head });
    answers.push(...(await wrongAnswers(client, log, '')), ...(await wrongMoney(money, client)));
  }
  await instances.end();
  return {
    kills,
    acknowledged: loads.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0),
    runs: money.runs.size,
    events: log.events.length,
    violations: [
      ...loads.flatMap(({ faults }) => faults.filter(isFault)),
      ...gaps(log),
      ...loads.flatMap(({ acknowledged }) => lost(log, acknowledged)),
      ...halfDone(log),
      ...halfLinked(log),
      ...(everything ? unansweredRuns(log) : []),
      ...instances.faults(),
      ...answers,
    ],
  };
};
