import { parseArgs } from 'node:util';
import { attacks } from './attacks.js';
import { startBystander } from './support/prober.js';
import { underAttack } from './support/under-attack.js';
import { faultsIn, heading, rowOf } from './support/verdict.js';

/*
 * Attacks the service as a stranger or a client would, each attack on a service of its own, and prints what others had
 * to wait meanwhile, how much memory it took, and whether all is well afterwards. Exits with 1 when one does harm.
 *
 * --quick: the short form; --only=a,b: these alone; --list: what there is; --verbose: what was answered;
 * --profile=<folder>: a CPU profile of each service.
 */

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
    only: { type: 'string' },
    profile: { type: 'string' },
  },
});
const only = values.only?.split(',');
const chosen = attacks.filter(({ name, long = false }) => only?.includes(name) ?? !(values.quick && long));

if (values.list) {
  for (const { name, about } of attacks) console.log(`${name.padEnd(26)} ${about}`);
  process.exit(0);
}

const bystander = await startBystander();
const harmful: string[] = [];
console.log(heading);
for (const attack of chosen) {
  const measured = await underAttack(attack, bystander.port, values.quick, values.profile ?? null);
  console.log(rowOf(attack.name, measured));
  if (values.verbose) for (const note of measured.outcome.notes) console.log(`    ${note}`);
  if (faultsIn(measured).length > 0) harmful.push(attack.name);
}
bystander.end();
console.log(
  harmful.length === 0
    ? `\n${chosen.length} attacks, none did harm`
    : `\n${chosen.length} attacks, ${harmful.length} did harm: ${harmful.join(', ')}`,
);
process.exit(harmful.length === 0 ? 0 : 1);
