import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { newKey } from '../../support/accounts.js';
import { temporaryFolder } from '../../support/event-store/temporary-sqlite.js';
import { httpClient } from '../../support/http-client.js';
import { startProxy } from '../../support/proxy/nginx.js';
import { type ServiceProcess, adminKey, startServiceProcess } from '../../support/service-process.js';
import { descriptorsOf, watchMemory } from './process-figures.js';
import { type Probed, startProber } from './prober.js';
import type { Attack, Outcome, Target } from './scene.js';

/** Measurements of a service under one attack. */
export interface Measured {
  readonly probed: Probed;
  /** Peak memory of the service in MB. */
  readonly memory: number;
  /** File descriptors that are still open after the attacker has disconnected. */
  readonly descriptors: number;
  /** Exit code or signal of a service that ended under the attack; null if it kept running. */
  readonly ended: number | string | null;
  /** Milliseconds from SIGTERM to the end, and the exit code or signal. */
  readonly stopping: { readonly ms: number; readonly how: number | string };
  readonly seconds: number;
  readonly outcome: Outcome;
}

const OutcomeCodec = t.type({ notes: t.array(t.string), faults: t.array(t.string) });
const script = fileURLToPath(new URL('./attack-process.js', import.meta.url));
/** Time limit of an attack in milliseconds. */
export const timeoutOf = ({ quick }: Pick<Form, 'quick'>): number => (quick ? 60_000 : 480_000);
/** Time that the service gets to recover after an attack, in milliseconds. */
const recoveryMs = 10_000;
/** File descriptors that the service may open when it is used for the first time. */
const ownDescriptors = 24;

const failed = (fault: string): Outcome => ({ notes: [], faults: [fault] });

interface Attacking {
  readonly outcome: Promise<Outcome>;
  /** Ends the attacker process and so closes its connections. */
  readonly leave: () => Promise<void>;
}

const firstLineOf = (child: ChildProcess): Promise<string | null> =>
  new Promise((resolve) => {
    if (child.stdout !== null) createInterface(child.stdout).once('line', resolve);
    child.once('exit', () => resolve(null));
  });

const attackWith = ({ name }: Attack, place: Target, env: Readonly<Record<string, string>>): Attacking => {
  const most = timeoutOf(place);
  const child = spawn(process.execPath, [script, name, JSON.stringify(place)], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const outcome = async (): Promise<Outcome> => {
    const line = await Promise.race([firstLineOf(child), setTimeout(most, 'late', { ref: false })]);
    if (line === 'late') return failed(`the attack did not finish within ${most / 1_000} s`);
    if (line === null) return failed('the attack process ended without a result');
    const decoded = OutcomeCodec.decode(JSON.parse(line));
    return E.isRight(decoded) ? decoded.right : failed(line);
  };
  return {
    outcome: outcome(),
    leave: async () => {
      child.stdin.end();
      await Promise.race([exited, setTimeout(1_000)]);
      child.kill('SIGKILL');
      await exited;
    },
  };
};

/** Polls until the condition holds; false after the timeout. */
const until = async (holds: () => Promise<boolean> | boolean, patience_ms: number): Promise<boolean> => {
  const end = performance.now() + patience_ms;
  while (!(await holds())) {
    if (performance.now() > end) return false;
    await setTimeout(100);
  }
  return true;
};

const steps = (id: string): ReadonlyArray<readonly [method: string, path: string, body?: object]> => [
  ['POST', '/v2/videos', { video_id: id, title: 'Afterwards' }],
  ['PUT', `/v2/videos/${id}/analysis`, { status: 'completed', faces: [{ id: 1, tracks: [] }] }],
  ['GET', `/v2/videos/${id}`],
  ['GET', `/v2/videos/${id}/history`],
  ['GET', '/v2/videos?limit=1'],
];

/** Faults of the service after the attack. */
const faultsAfterwards = async (service: ServiceProcess): Promise<ReadonlyArray<string>> => {
  const client = httpClient(service.url, adminKey);
  const isReady = async () => (await client.get('/readyz').catch(() => null))?.status === 200;
  if (!(await until(isReady, recoveryMs))) return [`not ready within ${recoveryMs / 1_000} s after the attack`];
  const faults: string[] = [];
  for (const [method, path, body] of steps('afterwards')) {
    const start = performance.now();
    const answer = await client.raw(method, path, body && JSON.stringify(body)).catch(() => null);
    const ms = Math.round(performance.now() - start);
    if (answer?.status !== 200) faults.push(`afterwards ${method} ${path}: ${answer?.status ?? 'no answer'}`);
    else if (ms > 1_000) faults.push(`afterwards ${method} ${path} took ${ms} ms`);
  }
  return faults;
};

const stopped = async (service: ServiceProcess): Promise<Measured['stopping']> => {
  const start = performance.now();
  const end = Promise.race([service.stop(), setTimeout(3 * recoveryMs, undefined, { ref: false })]);
  await end;
  const how = await Promise.race([service.ended, setTimeout(0, 'never' as const)]);
  const ms = performance.now() - start;
  if (how === 'never') await service.kill();
  return { ms, how };
};

/** The size of the attacks, and the folder for CPU profiles of the services, if wanted. */
export interface Form {
  readonly quick: boolean;
  readonly part: number;
  readonly profile: string | null;
}

/** Starts a service, runs one attack on it, and measures the service during the attack, afterwards and when it stops. */
export const underAttack = async (
  attack: Attack,
  bystander: number,
  { quick, part, profile }: Form,
): Promise<Measured> => {
  const { path: data_dir, remove } = await temporaryFolder();
  const node = profile === null ? [] : ['--cpu-prof', '--cpu-prof-dir', profile];
  const env = { LOG_LEVEL: 'fatal', ...attack.env, ...(await attack.prepare?.()) };
  const service = await startServiceProcess(data_dir, { env, node });
  const start = performance.now();
  const proxy = attack.throughProxy === true ? await startProxy(service.url) : null;
  const reader = await newKey(httpClient(service.url, adminKey), 'reader');
  const memory = watchMemory(service.pid);
  const prober = startProber(service, bystander, reader);
  await setTimeout(200);
  const before = descriptorsOf(service.pid);
  const place = { port: service.port, proxyPort: proxy?.port ?? null, pid: service.pid, data_dir, quick, part };
  const attacking = attackWith(attack, place, env);
  const outcome = await Promise.race([
    attacking.outcome,
    service.ended.then(async (how) => {
      await setTimeout(500);
      return failed(`the service ended: ${how}`);
    }),
  ]);
  const ended = await Promise.race([service.ended, setTimeout(0, null)]);
  const probed = await prober.end();
  const holds = attack.keepsConnections === true && ended === null;
  if (!holds) await attacking.leave();
  const rested = () => descriptorsOf(service.pid) <= before + ownDescriptors;
  if (!holds && ended === null) await until(rested, recoveryMs);
  const descriptors = descriptorsOf(service.pid) - before;
  const faults = ended === null && !holds ? await faultsAfterwards(service) : [];
  const most = memory.end();
  const stopping = ended === null ? await stopped(service) : { ms: 0, how: ended };
  await attacking.leave();
  await proxy?.stop();
  await remove();
  return {
    probed,
    memory: most,
    descriptors: holds ? 0 : Math.max(0, descriptors - ownDescriptors),
    ended,
    stopping,
    seconds: (performance.now() - start) / 1_000,
    outcome: { ...outcome, faults: [...outcome.faults, ...faults] },
  };
};
