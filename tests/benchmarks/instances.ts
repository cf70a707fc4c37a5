import { killInstances } from '../support/instances/kill-instances.js';
import { quick, whole } from './support/figures.js';

/* Three instances on one EventStoreDB, one killed at random again and again: every promise must hold. */

const given = process.argv.slice(2).find((argument) => /^\d+$/.test(argument));
const seconds = quick ? 10 : Number(given ?? 60);

const { kills, acknowledged, runs, events, violations } = await killInstances({
  instances: 3,
  milliseconds: seconds * 1_000,
  clients: 4,
  onKill: (count, written) => console.log(`kill ${count}: ${written} acknowledged so far`),
});
violations.slice(0, 20).forEach((violation) => console.log(`  ${violation.slice(0, 400)}`));
console.log(
  `${seconds} s, ${kills} kills, ${whole(acknowledged)} acknowledged writes, ${whole(runs)} charged runs, ` +
    `${whole(events)} events: ${violations.length === 0 ? 'every promise held' : `${violations.length} VIOLATIONS`}`,
);
process.exitCode = violations.length === 0 ? 0 : 1;
