import { killInstances } from '../support/instances/kill-instances.js';
import { isVersion } from '../support/event-store/versions.js';
import { quick, whole } from './support/figures.js';

/*
 * Three instances on one EventStoreDB, one killed at random again and again: every invariant must hold.
 *
 *   npm run bench:instances -- 60                  for a minute
 *   npm run bench:instances -- --everything        ten minutes: instances and server are killed and frozen, and the
 *                                                  server writes 10,000 events of its own a minute
 *   npm run bench:instances -- --version=24.6 60   the server behaves as that version
 */

const given = process.argv.slice(2).find((argument) => /^\d+$/.test(argument));
const everything = process.argv.includes('--everything');
const seconds = quick ? 2 : Number(given ?? (everything ? 600 : 60));
const named = process.argv.find((argument) => argument.startsWith('--version='))?.slice('--version='.length) ?? '';
const version = isVersion(named) ? named : null;
if (named !== '' && version === null) throw new Error(`there is no version ${named}`);

const { kills, acknowledged, runs, events, violations } = await killInstances({
  instances: quick ? 2 : 3,
  milliseconds: seconds * 1_000,
  clients: quick ? 1 : 4,
  everything,
  version,
  onKill: (count, written) =>
    console.log(`${everything ? 'kill or freeze' : 'kill'} ${count}: ${written} acknowledged so far`),
});
violations.slice(0, 20).forEach((violation) => console.log(`  ${violation.slice(0, 400)}`));
console.log(
  `${seconds} s, ${kills} ${everything ? 'kills and freezes' : 'kills'}, ${whole(acknowledged)} acknowledged writes, ${whole(runs)} charged runs, ` +
    `${whole(events)} events: ${violations.length === 0 ? 'every promise held' : `${violations.length} VIOLATIONS`}`,
);
process.exitCode = violations.length === 0 ? 0 : 1;
