import { temporaryFolder } from '../support/event-store/temporary-sqlite.js';
import { type Tried, isAllowed, tryFaults } from '../support/corruption/try-faults.js';
import { count } from './support/figures.js';

// Damages the two data files at random, and opens them as a service does: `npm run bench:corruption [faults] [seed]`.
// Tries this number of faults in each file. Exits with 1 if one ended the process or gave a wrong answer.

const [faults, first] = [count(0, 1_000, 2), count(1, 1, 1)];
const seeds = Array.from({ length: faults }, (_, index) => first + index);
const counts = new Map<string, Map<string, number>>();
const broken: Tried[] = [];

const note = (tried: Tried): void => {
  const outcomes = counts.get(tried.fault) ?? new Map<string, number>();
  const name = `${tried.file} ${tried.outcome}`;
  outcomes.set(name, (outcomes.get(name) ?? 0) + 1);
  counts.set(tried.fault, outcomes);
  if (isAllowed(tried)) return;
  broken.push(tried);
  console.log(`BROKEN ${JSON.stringify(tried)}`);
};

const { path, remove } = await temporaryFolder();
const start = performance.now();
await tryFaults(path, seeds, note);
await remove();
console.table(Object.fromEntries([...counts].map(([fault, outcomes]) => [fault, Object.fromEntries(outcomes)])));
const seconds = Math.round((performance.now() - start) / 1_000);
console.log(`${faults} faults in each of two files in ${seconds} s: ${broken.length} that are not allowed`);
process.exitCode = broken.length === 0 ? 0 : 1;
