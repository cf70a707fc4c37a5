import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { newKey, httpClient } from '../../support/http-client.js';
import { temporaryFolder } from '../../support/event-store/stores.js';
import { startProxy } from '../../support/proxy/nginx.js';
import { type ServiceProcess, adminKey, startServiceProcess } from '../../support/service-process.js';
import { descriptorsOf } from '../../support/processes.js';
import { type Watched, watch } from './watch.js';
import type { Attack, Outcome, Target } from './scene.js';

const OutcomeCodec = t.type({ notes: t.array(t.string), faults: t.array(t.string) });
const script = fileURLToPath(new URL('./attack-process.js', import.meta.url));
/** Time limit of an attack in milliseconds. */
export const timeoutOf = ({ quick }: Pick<Target, 'quick'>): number => (quick ? 60_000 : 480_000);
/** Time that the service gets to recover after an attack, and to stop, in milliseconds. */
const recoveryMs = 10_000;
/** File descriptors that the service may open when it is used for the first time. */
const ownDescriptors = 24;
const longestWaitMs = 500;
const maxMemoryMb = 700;

const failed = (fault: string): Outcome => ({ notes: [], faults: [fault] });

/** Runs an attack in a process of its own. `leave` ends that process, and so closes its connections. */
const attackWith = ({ name }: Attack, place: Target) => {
  const child = spawn(process.execPath, [script, name, JSON.stringify(place)], { stdio: ['pipe', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const outcome = async (): Promise<Outcome> => {
    const line = await Promise.race([
      new Promise<string>((resolve) => createInterface(child.stdout).once('line', resolve)),
      exited.then(() => null),
      setTimeout(timeoutOf(place), 'late', { ref: false }),
    ]);
    if (line === 'late') return failed(`the attack did not finish within ${timeoutOf(place) / 1_000} s`);
    if (line === null) return failed('the attack process ended without a result');
    const decoded = OutcomeCodec.decode(JSON.parse(line));
    return E.isRight(decoded) ? decoded.right : failed(line);
  };
  return {
    outcome: outcome(),
    leave: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
};

const until = async (holds: () => Promise<boolean> | boolean): Promise<boolean> => {
  for (const end = performance.now() + recoveryMs; performance.now() < end; await setTimeout(100))
    if (await holds()) return true;
  return false;
};

/** Faults of the service after the attack: it must close what is left open, take writes, and stop. */
const faultsAfterwards = async (service: ServiceProcess, before: number): Promise<ReadonlyArray<string>> => {
  const client = httpClient(service.url, adminKey);
  const faults: string[] = [];
  if (!(await until(() => descriptorsOf(service.pid) <= before + ownDescriptors)))
    faults.push(`${descriptorsOf(service.pid) - before} file descriptors were not closed`);
  if (!(await until(async () => (await client.get('/readyz').catch(() => null))?.status === 200)))
    faults.push(`not ready within ${recoveryMs / 1_000} s after the attack`);
  for (const answer of [await client.post('/v2/videos', { video_id: 'later' }), await client.get('/v2/videos/later')])
    if (answer.status !== 200) faults.push(`afterwards: ${answer.status} ${answer.text.slice(0, 200)}`);
  const start = performance.now();
  void service.stop();
  const how = await Promise.race([service.ended, setTimeout(3 * recoveryMs, 'not at all', { ref: false })]);
  const ms = Math.round(performance.now() - start);
  // Requests in flight may take ten seconds.
  if (how !== 0 || ms > recoveryMs + 1_000) faults.push(`after SIGTERM the service ended with ${how}, in ${ms} ms`);
  return faults;
};

const faultsIn = ({ wait, requests, failures, memory }: Watched): ReadonlyArray<string> => [
  ...(wait > longestWaitMs ? [`a health check or a read took ${Math.round(wait)} ms`] : []),
  ...(failures > 0 || requests === 0 ? [`${failures} of ${requests} health checks and reads failed`] : []),
  ...(memory > maxMemoryMb ? [`${Math.round(memory)} MB of memory`] : []),
];

/** Starts a service, runs one attack on it, and measures the service meanwhile, afterwards and when it stops. */
export const underAttack = async (attack: Attack, form: Pick<Target, 'quick' | 'part'>): Promise<Outcome & Watched> => {
  const { path: data_dir, remove } = await temporaryFolder();
  const service = await startServiceProcess(data_dir, { env: { LOG_LEVEL: 'fatal', ...attack.env } });
  const proxy = attack.throughProxy === true ? await startProxy(service.url) : null;
  const watching = watch(service, await newKey(httpClient(service.url, adminKey), 'reader'));
  await setTimeout(200);
  const before = descriptorsOf(service.pid);
  const attacking = attackWith(attack, { port: service.port, proxyPort: proxy?.port ?? null, ...form });
  const ended = service.ended.then((how) => failed(`the service ended under the attack: ${how}`));
  const { notes, faults } = await Promise.race([attacking.outcome, ended]);
  const watched = watching.end();
  await attacking.leave();
  const later = service.hasEnded() ? [] : await faultsAfterwards(service, before);
  if (!service.hasEnded()) await service.kill();
  await proxy?.stop();
  await remove();
  return { ...watched, notes, faults: [...faults, ...faultsIn(watched), ...later] };
};
