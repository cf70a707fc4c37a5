import { parseArgs } from 'node:util';
import { attacks } from './attacks.js';
import { startBystander } from './support/prober.js';
import { type Attack, forEach } from './support/scene.js';
import { patienceOf, underAttack } from './support/under-attack.js';
import { faultsIn, heading, longestWaits, rowOf } from './support/verdict.js';

/*
 * Attacks the service as a stranger or a client would, each attack on a service of its own, and prints what others had
 * to wait meanwhile, how much memory it took, and whether all is well afterwards. Exits with 1 when one does harm.
 *
 * --quick: the short form; --brief: a shorter one for CI, several at a time, with the bound of a busy machine, each that
 * fails once more alone; --busy: that bound; --only=a,b: these alone; --list: what there is; --verbose: what was answered;
 * --profile=<folder>: a CPU profile of each service.
 */

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    brief: { type: 'boolean', default: false },
    busy: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
    only: { type: 'string' },
    profile: { type: 'string' },
  },
});
const only = values.only?.split(',');
const quick = values.quick || values.brief;
const form = { quick, part: values.brief ? 1 / 5 : 1, profile: values.profile ?? null };
const longestWait = values.brief || values.busy ? longestWaits.busy : longestWaits.quiet;
/** More at once would have to share two processors with their services. */
const lanes = values.brief ? 4 : 1;
const chosen = attacks.filter(({ name, long = false }) => only?.includes(name) ?? !(quick && long));

if (values.list) {
  for (const { name, about } of attacks) console.log(`${name.padEnd(26)} ${about}`);
  process.exit(0);
}

const start = performance.now();
const bystander = await startBystander();
/** Makes one attack, and tells whether it did harm. */
const doesHarm = async (attack: Attack): Promise<boolean> => {
  console.log(`${attack.name} begins, ${patienceOf(form) / 1_000} s at most: ${attack.about}`);
  const measured = await underAttack(attack, bystander.port, form);
  console.log(rowOf(attack.name, measured, longestWait));
  if (values.verbose) for (const note of measured.outcome.notes) console.log(`    ${note}`);
  return faultsIn(measured, longestWait).length > 0;
};

let harmful: Attack[] = [];
console.log(heading);
await forEach(chosen, lanes, async (attack) => {
  if (await doesHarm(attack)) harmful.push(attack);
});
if (values.brief) {
  const again = harmful;
  harmful = [];
  for (const attack of again) if (await doesHarm(attack)) harmful.push(attack);
}
bystander.end();
const seconds = Math.round((performance.now() - start) / 1_000);
console.log(
  harmful.length === 0
    ? `\n${chosen.length} attacks in ${seconds} s, none did harm`
    : `\n${chosen.length} attacks in ${seconds} s, ${harmful.length} did harm: ${harmful.map(({ name }) => name).join(', ')}`,
);
process.exit(harmful.length === 0 ? 0 : 1);
