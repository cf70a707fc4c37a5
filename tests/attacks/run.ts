import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { attacks } from './attacks.js';
import { type Attack, type Outcome, type Target, forEach } from './support/scene.js';
import { temporaryFolder } from '../support/event-store/stores.js';
import { httpClient, newKey } from '../support/http-client.js';
import { notRun, peakMemoryOf, descriptorsOf } from '../support/processes.js';
import { startProxy, howToGetNginx, nginxProgram } from '../support/proxy/nginx.js';
import { type ServiceProcess, adminKey, startServiceProcess } from '../support/service-process.js';

/** What a service under attack did meanwhile. */
interface Watched {
  /** The longest wait for a health check or a read of another account in ms, without what the busy machine added. */
  readonly wait: number;
  readonly requests: number;
  readonly failures: number;
  /** Peak memory in MB. */
  readonly memory: number;
}

/** Asks a service, with the key of another account, for its health and a list by turns, until it is ended. */
const watch = ({ url, pid }: Pick<ServiceProcess, 'url' | 'pid'>, key: string) => {
  const client = httpClient(url, key);
  const end = new AbortController();
  let [wait, requests, failures] = [0, 0, 0];
  const run = async (): Promise<void> => {
    while (!end.signal.aborted) {
      const [start, before] = [performance.now(), notRun(pid) + notRun(process.pid)];
      const answer = await client.get(requests % 2 === 0 ? '/healthz' : '/v2/videos?limit=10').catch(() => null);
      if (end.signal.aborted) return;
      requests += 1;
      if (answer?.status !== 200) failures += 1;
      wait = Math.max(wait, performance.now() - start - (notRun(pid) + notRun(process.pid) - before));
      await setTimeout(10);
    }
  };
  void run();
  return {
    end: (): Watched => {
      end.abort();
      return { wait, requests, failures, memory: peakMemoryOf(pid) };
    },
  };
};

const OutcomeCodec = t.type({ notes: t.array(t.string), faults: t.array(t.string) });
const script = fileURLToPath(new URL('./support/attack-process.js', import.meta.url));
/** Time limit of an attack in milliseconds. */
const timeoutOf = ({ quick }: Pick<Target, 'quick'>): number => (quick ? 60_000 : 480_000);
/** Time that the service gets to recover after an attack, and to stop, in milliseconds. */
const recoveryMs = 10_000;
/** File descriptors that the service may open when it is used for the first time. */
const ownDescriptors = 24;
const longestWaitMs = 500;
const maxMemoryMb = 700;

const onlyFault = (fault: string): Outcome => ({ notes: [], faults: [fault] });

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
    if (line === 'late') return onlyFault(`the attack did not finish within ${timeoutOf(place) / 1_000} s`);
    if (line === null) return onlyFault('the attack process ended without a result');
    const decoded = OutcomeCodec.decode(JSON.parse(line));
    return E.isRight(decoded) ? decoded.right : onlyFault(line);
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
const underAttack = async (attack: Attack, form: Pick<Target, 'quick'>): Promise<Outcome & Watched> => {
  const { path: data_dir, remove } = await temporaryFolder();
  const service = await startServiceProcess(data_dir, { env: { LOG_LEVEL: 'fatal', ...attack.env } });
  const proxy = attack.throughProxy === true ? await startProxy(service.url) : null;
  const watching = watch(service, await newKey(httpClient(service.url, adminKey), 'reader'));
  await setTimeout(200);
  const before = descriptorsOf(service.pid);
  const attacking = attackWith(attack, { port: service.port, proxyPort: proxy?.port ?? null, ...form });
  const ended = service.ended.then((how) => onlyFault(`the service ended under the attack: ${how}`));
  const { notes, faults } = await Promise.race([attacking.outcome, ended]);
  const watched = watching.end();
  await attacking.leave();
  const later = service.hasEnded() ? [] : await faultsAfterwards(service, before);
  if (!service.hasEnded()) await service.kill();
  await proxy?.stop();
  await remove();
  return { ...watched, notes, faults: [...faults, ...faultsIn(watched), ...later] };
};

/*
 * Attacks the service as a stranger or a client could, each attack on a new service. Prints the longest response time of a
 * health check or of another account's reads during the attack, the peak memory, and whether the service works afterwards. Exits with 1 if a check fails.
 *
 * --quick             the short form, as in CI: several attacks at a time; a failed one is repeated alone
 * --only=a,b          only these attacks
 * --list              lists the attacks
 * --verbose           prints the notes of each attack
 */

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
    only: { type: 'string' },
  },
});
const only = values.only?.split(',');
const { quick } = values;
const chosen = attacks.filter(({ name }) => only?.includes(name) ?? true);

if (values.list) {
  for (const { name, about } of attacks) console.log(`${name.padEnd(26)} ${about}`);
  process.exit(0);
}

/** Runs one attack. Returns whether the service failed a check. */
const runFails = async (attack: Attack): Promise<boolean> => {
  if (attack.throughProxy === true && nginxProgram === null) {
    console.log(`${attack.name}: left out, there is no nginx here; ${howToGetNginx}`);
    return false;
  }
  console.log(`${attack.name} (at most ${timeoutOf({ quick }) / 1_000} s): ${attack.about}`);
  const { wait, memory, notes, faults } = await underAttack(attack, { quick });
  const figures = `longest wait ${wait.toFixed(0)} ms, ${memory.toFixed(0)} MB`;
  console.log(`${attack.name}: ${figures}, ${faults.length === 0 ? 'passed' : 'FAILED'}`);
  for (const line of [...faults, ...(values.verbose ? notes : [])]) console.log(`    ${line}`);
  return faults.length > 0;
};

let failed: Attack[] = [];
// More at the same time would compete with their services for two processors.
await forEach(chosen, quick ? 4 : 1, async (attack) => {
  if (await runFails(attack)) failed.push(attack);
});
if (quick) {
  const again = failed;
  failed = [];
  for (const attack of again) if (await runFails(attack)) failed.push(attack);
}
console.log(
  failed.length === 0
    ? `\n${chosen.length} attacks, all passed`
    : `\n${chosen.length} attacks, ${failed.length} failed: ${failed.map(({ name }) => name).join(', ')}`,
);
process.exit(failed.length === 0 ? 0 : 1);
