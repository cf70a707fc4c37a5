import { tryFaults, isAllowed } from '../support/corruption/try-faults.js';
import { killErasures } from '../support/erasure/kill.js';
import { embeddedStorage, remoteStorage } from '../support/erasure/storage.js';
import { temporaryFolder } from '../support/event-store/temporary-sqlite.js';
import { isVersion } from '../support/event-store/versions.js';
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
 *     three instances on one EventStoreDB; `--everything`: also the server is killed and frozen, and writes 10,000
 *     events of its own a minute
 */

const [kind, ...given] = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const numbers = given.filter((argument) => /^\d+$/.test(argument)).map(Number);
const count = (usual: number, short: number): number => (quick ? short : (numbers[0] ?? usual));
const has = (flag: string): boolean => process.argv.includes(flag);

/** What was done, and the promises that were broken. */
type Report = readonly [done: string, violations: ReadonlyArray<string>];

const kinds: Readonly<Record<string, () => Promise<Report>>> = {
  kill: async () => {
    const rounds = await killNine({
      rounds: count(50, 1),
      onRound: ({ round, acknowledged, events }) =>
        console.log(`round ${round}: ${acknowledged} acknowledged, ${events} events`),
    });
    const acknowledged = rounds.reduce((sum, round) => sum + round.acknowledged, 0);
    return [
      `${rounds.length} kills, ${whole(acknowledged)} acknowledged writes, ${whole(rounds.at(-1)?.events ?? 0)} events`,
      rounds.flatMap(({ violations }) => violations),
    ];
  },
  ledger: async () => {
    const { kills, operations, bookings, charges, repeats, violations } = await ledgerKill({
      operations: count(10_000, 200),
      clients: 16,
      longest_ms: quick ? 1_000 : 10_000,
      onKill: (number, { done }) => console.log(`kill ${number}: ${whole(done)} operations`),
    });
    const booked = `${whole(bookings)} bookings, ${whole(charges)} charges, ${whole(repeats)} repeats with a key`;
    return [`${kills} kills, ${whole(operations)} operations of 16 clients: ${booked}`, violations];
  },
  'realtime-kill': async () => {
    const result = await (quick ? killRealtime(6, 1) : killRealtime(50, 10));
    const { sessions, kills, connected_seconds, charged_seconds, violations } = result;
    const seconds = `connected ${connected_seconds.toFixed(1)} s, charged ${charged_seconds} s`;
    return [`${sessions} sessions, ${kills} kills: ${seconds}`, violations];
  },
  'erasure-kill': async () => {
    const { kills, requested, acknowledged, violations } = await killErasures({
      kills: count(200, 1),
      openStorage: given.includes('eventstoredb') ? remoteStorage : embeddedStorage,
      onKill: (done, answered) => console.log(`kill ${done}: ${whole(answered)} erasures acknowledged`),
    });
    return [`${kills} kills, ${whole(requested)} erasures requested, ${whole(acknowledged)} acknowledged`, violations];
  },
  corruption: async () => {
    const [faults, first = 1] = [count(1_000, 2), numbers[1]];
    const outcomes = new Map<string, number>();
    const broken: string[] = [];
    const { path, remove } = await temporaryFolder();
    const seeds = Array.from({ length: faults }, (_, index) => first + index);
    await tryFaults(path, seeds, (tried) => {
      const outcome = `${tried.file} ${tried.outcome}`;
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      if (!isAllowed(tried)) broken.push(JSON.stringify(tried));
    });
    await remove();
    const all = [...outcomes].map(([outcome, times]) => `${outcome} ×${times}`).join(', ');
    return [`${faults} faults in each of two files: ${all}`, broken];
  },
  instances: async () => {
    const everything = has('--everything');
    const named = process.argv.find((argument) => argument.startsWith('--version='))?.slice('--version='.length);
    if (named !== undefined && !isVersion(named)) throw new Error(`there is no version ${named}`);
    const { kills, acknowledged, runs, events, violations } = await killInstances({
      instances: quick ? 2 : 3,
      milliseconds: count(everything ? 600 : 60, 2) * 1_000,
      clients: quick ? 1 : 4,
      everything,
      version: named ?? null,
      onKill: (number, written) => console.log(`fault ${number}: ${written} acknowledged so far`),
    });
    const writes = `${whole(acknowledged)} acknowledged writes, ${whole(runs)} charged runs, ${whole(events)} events`;
    return [`${kills} kills or freezes, ${writes}`, violations];
  },
};

const chosen = Object.entries(kinds).filter(([name]) => kind === undefined || name === kind);
if (chosen.length === 0) throw new Error(`there is no ${kind}: there are ${Object.keys(kinds).join(', ')}`);
for (const [name, run] of chosen) {
  const [done, violations] = await run();
  violations.slice(0, 20).forEach((violation) => console.log(`  ${violation.slice(0, 600)}`));
  console.log(
    `${name}: ${done}: ${violations.length === 0 ? 'every promise held' : `${violations.length} VIOLATIONS`}`,
  );
  if (violations.length > 0) process.exitCode = 1;
}
