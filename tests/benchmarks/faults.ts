import { tryFaults, isAllowed } from '../support/corruption/try-faults.js';
import { killErasures, embeddedStorage, remoteStorage } from '../support/erasure/kill.js';
import { temporaryFolder } from '../support/event-store/stores.js';
import { versionOf } from '../support/event-store/versions.js';
import { killInstances } from '../support/instances/kill-instances.js';
import { killNine } from '../support/kill-nine/rounds.js';
import { ledgerKill } from '../support/ledger-kill/rounds.js';
import { killRealtime } from '../support/realtime/kill-rounds.js';
import { quick, whole } from './support/figures.js';

/*
 * Faults under load, again and again, after each of which every promise must hold. Exits with 1 if one does not.
 *
 *   npm run bench:kill [kills]                    SIGKILL: nothing acknowledged is lost, no reaction is missing
 *   npm run bench:ledger [operations]             the same under grants, corrections and billed inferences
 *   npm run bench:realtime-kill                   no session is charged for too much, or for an interval too little
 *   npm run bench:erasure-kill [kills] [eventstoredb]   each erasure is complete or was never begun; with a failing vault
 *   npm run bench:corruption [faults] [seed]      damaged data files
 *   npm run bench:instances [seconds] [--everything] [--version=24.6]
 *     three instances on one EventStoreDB; `--everything`: also the server is killed and frozen
 */

const [kind, ...given] = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const numbers = given.filter((argument) => /^\d+$/.test(argument)).map(Number);
const count = (usual: number, short: number): number => (quick ? short : (numbers[0] ?? usual));
const has = (flag: string): boolean => process.argv.includes(flag);

/** The promises that were broken, and counts of what was done. */
interface Report {
  readonly violations: ReadonlyArray<string>;
}

const onKill = (kills: number, done: number): void => console.log(`kill ${kills}: ${whole(done)}`);

const corrupt = async (faults: number, first = 1): Promise<Report> => {
  const outcomes: Record<string, number> = {};
  const violations: string[] = [];
  const { path, remove } = await temporaryFolder();
  const seeds = Array.from({ length: faults }, (_, index) => first + index);
  await tryFaults(path, seeds, (tried) => {
    const outcome = `${tried.file} ${tried.outcome}`;
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    if (!isAllowed(tried)) violations.push(JSON.stringify(tried));
  });
  await remove();
  const report = { ...outcomes, violations };
  return report;
};

const onInstances = async (): Promise<Report> => {
  const everything = has('--everything');
  const named = process.argv.find((argument) => argument.startsWith('--version='))?.slice('--version='.length) ?? '';
  return killInstances({
    instances: quick ? 2 : 3,
    milliseconds: count(everything ? 600 : 60, 2) * 1_000,
    clients: quick ? 1 : 4,
    everything,
    version: versionOf(named),
    onKill,
  });
};

const kinds: Readonly<Record<string, () => Promise<Report>>> = {
  kill: () => killNine(count(50, 1), onKill),
  ledger: () => ledgerKill({ operations: count(10_000, 200), clients: 16, longest_ms: quick ? 1_000 : 10_000, onKill }),
  'realtime-kill': () => (quick ? killRealtime(6, 1) : killRealtime(50, 10)),
  'erasure-kill': () =>
    killErasures({
      kills: count(200, 1),
      openStorage: given.includes('eventstoredb') ? remoteStorage : embeddedStorage,
      onKill,
    }),
  corruption: () => corrupt(count(1_000, 2), numbers[1]),
  instances: onInstances,
};

const chosen = Object.entries(kinds).filter(([name]) => kind === undefined || name === kind);
if (chosen.length === 0) throw new Error(`there is no ${kind}: there are ${Object.keys(kinds).join(', ')}`);
for (const [name, run] of chosen) {
  const { violations, ...done } = await run();
  violations.slice(0, 20).forEach((violation) => console.log(`  ${violation.slice(0, 600)}`));
  const counts = Object.entries<unknown>(done).map(
    ([what, times]) => `${what.replaceAll('_', ' ')} ${whole(Number(times))}`,
  );
  const verdict = violations.length === 0 ? 'every promise held' : `${violations.length} VIOLATIONS`;
  console.log(`${name}: ${counts.join(', ')}: ${verdict}`);
  if (violations.length > 0) process.exitCode = 1;
}
