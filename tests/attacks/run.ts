import { parseArgs } from 'node:util';
import { howToGetNginx, nginxProgram } from '../support/proxy/nginx.js';
import { attacks } from './attacks.js';
import { type Attack, forEach } from './support/scene.js';
import { timeoutOf, underAttack } from './support/under-attack.js';

/*
 * Attacks the service as a stranger or a client could, each attack on a new service. Prints the longest response time of a
 * health check or of another account's reads during the attack, the peak memory, and whether the service works afterwards. Exits with 1 if a check fails.
 *
 * --quick             the short form
 * --brief             a shorter form for CI: several attacks at a time; a failed one is repeated alone
 * --only=a,b          only these attacks
 * --list              lists the attacks
 * --verbose           prints the notes of each attack
 */

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    brief: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
    only: { type: 'string' },
  },
});
const only = values.only?.split(',');
const form = { quick: values.quick || values.brief, part: values.brief ? 1 / 5 : 1 };
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
  console.log(`${attack.name} (at most ${timeoutOf(form) / 1_000} s): ${attack.about}`);
  const { wait, memory, notes, faults } = await underAttack(attack, form);
  const figures = `longest wait ${wait.toFixed(0)} ms, ${memory.toFixed(0)} MB`;
  console.log(`${attack.name}: ${figures}, ${faults.length === 0 ? 'passed' : 'FAILED'}`);
  for (const line of [...faults, ...(values.verbose ? notes : [])]) console.log(`    ${line}`);
  return faults.length > 0;
};

let failed: Attack[] = [];
// More at the same time would compete with their services for two processors.
await forEach(chosen, values.brief ? 4 : 1, async (attack) => {
  if (await runFails(attack)) failed.push(attack);
});
if (values.brief) {
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
