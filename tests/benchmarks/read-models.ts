import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as t from 'io-ts';
import { type Figures, measures, seed } from './support/read-models-measures.js';
import { count } from './support/figures.js';

// Rebuilding and starting the read models: `node dist/tests/benchmarks/read-models.js [events] [runs]`.
// Each run is a process of its own; the kinds of runs take turns; the medians are printed.

const script = fileURLToPath(import.meta.url);
const Answer = t.record(t.string, t.number);
const isMeasure = (name: string): name is keyof typeof measures => name in measures;

const inOwnProcess = (name: string, folder: string, total: number): Promise<Figures> =>
  new Promise((resolve, reject) => {
    const child = fork(script, [String(total), name, folder], { execArgv: ['--expose-gc'] });
    child.once('message', (answer) => (Answer.is(answer) ? resolve(answer) : reject(new Error(`${name}: no figures`))));
    child.once('exit', (code) => (code === 0 ? undefined : reject(new Error(`${name} exited with ${code}`))));
  });

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

const print = (name: string, figures: ReadonlyArray<Figures>): void => {
  const columns = Object.keys(figures[0] ?? {}).map((column) => {
    const values = figures.map((one) => one[column] ?? Number.NaN);
    const digits = median(values) < 100 ? 1 : 0;
    const [least, middle, most] = [Math.min(...values), median(values), Math.max(...values)];
    return `${column} ${middle.toFixed(digits)} (${least.toFixed(digits)} to ${most.toFixed(digits)})`;
  });
  console.log(`${name}: ${columns.join(', ')}`);
};

const compare = async (): Promise<void> => {
  const [events, runs] = [count(0, 200_000, 5_000), count(1, 5, 1)];
  const folder = mkdtempSync(join(tmpdir(), 'media-analysis-'));
  try {
    const total = await seed(folder, events);
    const names = Object.keys(measures);
    const figures = new Map<string, Figures[]>(names.map((name) => [name, []]));
    console.log(`${total} events, medians of ${runs} runs; load before: ${loadavg()[0]?.toFixed(1)}`);
    for (let run = 0; run < runs; run += 1)
      for (const name of names) figures.get(name)?.push(await inOwnProcess(name, folder, total));
    figures.forEach((one, name) => print(name, one));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const [, , total, name, folder] = process.argv;
if (name !== undefined && folder !== undefined && isMeasure(name)) {
  process.send?.(await measures[name](folder, Number(total)));
  process.disconnect();
} else await compare();
