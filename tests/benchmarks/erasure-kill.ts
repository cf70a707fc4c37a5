import { killErasures } from '../support/erasure/kill.js';
import { embeddedStorage, remoteStorage } from '../support/erasure/storage.js';
import { quick, whole } from './support/figures.js';

/*
 * SIGKILL at random instants of erasures under load: each is complete or was never begun, and the log is whole.
 * `node dist/tests/benchmarks/erasure-kill.js [kills] [eventstoredb]`: there with a vault over HTTP that fails at times.
 */

const given = process.argv.slice(2).find((argument) => /^\d+$/.test(argument));

const { kills, requested, acknowledged, violations } = await killErasures({
  kills: quick ? 1 : Number(given ?? 200),
  openStorage: process.argv.includes('eventstoredb') ? remoteStorage : embeddedStorage,
  onKill: (done, answered) => console.log(`kill ${done}: ${whole(answered)} erasures acknowledged`),
});
violations.slice(0, 20).forEach((violation) => console.log(`  ${violation.slice(0, 600)}`));
console.log(
  `${kills} kills, ${whole(requested)} erasures requested, ${whole(acknowledged)} acknowledged: ` +
    (violations.length === 0
      ? 'each is complete or was never begun, and the log is whole'
      : `${violations.length} VIOLATIONS`),
);
process.exitCode = violations.length === 0 ? 0 : 1;
