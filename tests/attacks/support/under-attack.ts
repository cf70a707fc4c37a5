import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { temporaryFolder } from '../../support/event-store/temporary-sqlite.js';
import { httpClient } from '../../support/http-client.js';
import { type ServiceProcess, adminKey, startServiceProcess } from '../../support/service-process.js';
import { descriptorsOf, watchMemory } from './process-figures.js';
import { type Probed, startProber } from './prober.js';
import type { Attack, Outcome, Place } from './scene.js';

/** What one attack did to the service. */
export interface Measured {
  readonly probed: Probed;
  /** The most that the service ever held, in MB. */
  readonly memory: number;
  /** Descriptors beyond those from before, once the attacker had gone. */
  readonly descriptors: number;
  /** How it ended under the attack; null: it did not. */
  readonly ended: number | string | null;
  /** Milliseconds from SIGTERM to the end, and how it ended then. */
  readonly stopping: { readonly ms: number; readonly how: number | string };
  readonly seconds: number;
  readonly outcome: Outcome;
}

const OutcomeCodec = t.type({ notes: t.array(t.string), faults: t.array(t.string) });
const script = fileURLToPath(new URL('./attack-process.js', import.meta.url));
/** For so long an attack may go on, in milliseconds. */
export const patienceOf = ({ quick }: Pick<Form, 'quick'>): number => (quick ? 60_000 : 240_000);
/** For so long the service may take to come to rest, in milliseconds. */
const rest = 10_000;
/** Descriptors that the service may open for itself when it is used for the first time. */
const ownDescriptors = 24;

const failed = (fault: string): Outcome => ({ notes: [], faults: [fault] });

interface Attacking {
  readonly outcome: Promise<Outcome>;
  /** Lets the attacker go, with all its connections. */
  readonly leave: () => Promise<void>;
}

const firstLineOf = (child: ChildProcess): Promise<string | null> =>
  new Promise((resolve) => {
    if (child.stdout !== null) createInterface(child.stdout).once('line', resolve);
    child.once('exit', () => resolve(null));
  });

const attackWith = ({ name }: Attack, place: Place, env: Readonly<Record<string, string>>): Attacking => {
  const most = patienceOf(place);
  const child = spawn(process.execPath, [script, name, JSON.stringify(place)], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const outcome = async (): Promise<Outcome> => {
    const line = await Promise.race([firstLineOf(child), setTimeout(most, 'late', { ref: false })]);
    if (line === 'late') return failed(`the attack did not end within ${most / 1_000} s`);
    if (line === null) return failed('the process of the attack ended');
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

/** Waits until it holds, or for a while. */
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

/** What a service does wrong that nobody attacks any more. */
const faultsAfterwards = async (service: ServiceProcess): Promise<ReadonlyArray<string>> => {
  const client = httpClient(service.url, adminKey);
  const isReady = async () => (await client.get('/readyz').catch(() => null))?.status === 200;
  if (!(await until(isReady, rest))) return [`not ready ${rest / 1_000} s afterwards`];
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
  const end = Promise.race([service.stop(), setTimeout(3 * rest, undefined, { ref: false })]);
  await end;
  const how = await Promise.race([service.ended, setTimeout(0, 'never' as const)]);
  const ms = performance.now() - start;
  if (how === 'never') await service.kill();
  return { ms, how };
};

/** How large the attacks are, and where a CPU profile of each service goes, if anywhere. */
export interface Form {
  readonly quick: boolean;
  readonly part: number;
  readonly profile: string | null;
}

/** Starts a service, lets one attack loose on it, and looks at what it does meanwhile, afterwards and at its end. */
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
  const memory = watchMemory(service.pid);
  const prober = startProber(service, bystander);
  await setTimeout(200);
  const before = descriptorsOf(service.pid);
  const attacking = attackWith(attack, { port: service.port, pid: service.pid, data_dir, quick, part }, env);
  const outcome = await Promise.race([
    attacking.outcome,
    service.ended.then(async (how) => {
      await setTimeout(500);
      return failed(`the service ended: ${how}`);
    }),
  ]);
  const ended = await Promise.race([service.ended, setTimeout(0, null)]);
  const probed = await prober.end();
  const holds = attack.holdsOn === true && ended === null;
  if (!holds) await attacking.leave();
  const rested = () => descriptorsOf(service.pid) <= before + ownDescriptors;
  if (!holds && ended === null) await until(rested, rest);
  const descriptors = descriptorsOf(service.pid) - before;
  const faults = ended === null && !holds ? await faultsAfterwards(service) : [];
  const most = memory.end();
  const stopping = ended === null ? await stopped(service) : { ms: 0, how: ended };
  await attacking.leave();
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
