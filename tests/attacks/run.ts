import { parseArgs } from 'node:util';
import { howToGetNginx, nginxProgram } from '../support/proxy/nginx.js';
import { attacks } from './attacks.js';
import { startBystander } from './support/prober.js';
import { type Attack, forEach } from './support/scene.js';
import { timeoutOf, underAttack } from './support/under-attack.js';
import { faultsIn, heading, rowOf } from './support/verdict.js';

/*
 * Attacks the service as a stranger or a client could, each attack on a new service. Prints the longest response time of a
 * health check or of another account's reads during the attack, the peak memory, and whether the service works afterwards. Exits with 1 if a check fails.
 *
 * --quick             the short form
 * --brief             a shorter form for CI: several attacks at a time; a failed one is repeated alone
 * --only=a,b          only these attacks
 * --list              lists the attacks
 * --verbose           prints the notes of each attack
 * --profile=<folder>  writes a CPU profile of each service
 */

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    brief: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
    only: { type: 'string' },
    profile: { type: 'string' },
  },
});
const only = values.only?.split(',');
const quick = values.quick || values.brief;
const form = { quick, part: values.brief ? 1 / 5 : 1, profile: values.profile ?? null };
/** Attacks at the same time. More would compete with their services for two processors. */
const concurrency = values.brief ? 4 : 1;
const chosen = attacks.filter(({ name, long = false }) => only?.includes(name) ?? !(quick && long));

if (values.list) {
  for (const { name, about } of attacks) console.log(`${name.padEnd(26)} ${about}`);
  process.exit(0);
}

const start = performance.now();
const bystander = await startBystander();
/** Runs one attack. Returns whether the service failed a check. */
const runFails = async (attack: Attack): Promise<boolean> => {
  if (attack.throughProxy === true && nginxProgram === null) {
    console.log(`${attack.name}: left out, there is no nginx here; ${howToGetNginx}`);
    return false;
  }
  console.log(`${attack.name} (at most ${timeoutOf(form) / 1_000} s): ${attack.about}`);
  const measured = await underAttack(attack, bystander.port, form);
  console.log(rowOf(attack.name, measured));
  if (values.verbose) for (const note of measured.outcome.notes) console.log(`    ${note}`);
  return faultsIn(measured).length > 0;
};

let failed: Attack[] = [];
console.log(heading);
await forEach(chosen, concurrency, async (attack) => {
  if (await runFails(attack)) failed.push(attack);
});
if (values.brief) {
  const again = failed;
  failed = [];
  for (const attack of again) if (await runFails(attack)) failed.push(attack);
}
bystander.end();
const seconds = Math.round((performance.now() - start) / 1_000);
console.log(
  failed.length === 0
    ? `\n${chosen.length} attacks in ${seconds} s, all passed`
    : `\n${chosen.length} attacks in ${seconds} s, ${failed.length} failed: ${failed.map(({ name }) => name).join(', ')}`,
);
process.exit(failed.length === 0 ? 0 : 1);
