import { execFile } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as t from 'io-ts';
import { type Originals, makeOriginals } from './data-folder.js';
import { faultOf } from './faults.js';

const program = fileURLToPath(new URL('./probe-process.js', import.meta.url));
const Answer = t.type({ outcome: t.string, reason: t.string });

export type DataFile = 'events.db' | 'read-models.db';

/** The result of one fault; `aborted`: it ended the process. */
export interface Tried {
  readonly file: DataFile;
  readonly seed: number;
  readonly fault: string;
  readonly outcome: string;
  readonly reason: string;
}

const longest = 60_000;

/** Opens a folder in a process of its own. */
const probed = (folder: string, expected: string): Promise<t.TypeOf<typeof Answer>> =>
  new Promise((resolve) => {
    const options = { timeout: longest, killSignal: 'SIGKILL' } as const;
    execFile(process.execPath, [program, folder, expected], options, (error, stdout) => {
      const answer: unknown = stdout === '' ? null : JSON.parse(stdout);
      if (Answer.is(answer)) resolve(answer);
      else if (error?.killed === true) resolve({ outcome: 'hanging', reason: `no answer in ${longest} ms` });
      else resolve({ outcome: 'aborted', reason: String(error?.signal ?? error?.code) });
    });
  });

/** Faults that put well-formed content in the place of other content, or change an index: SQLite may notice neither. */
const unnoticed = ['one bit', 'some bytes', 'no UTF-8', 'page of', 'older copy'];

/**
 * Whether a result is permitted: damaged read models are rebuilt if the damage is noticed, a damaged log is refused with
 * its name, or served with faults that an audit names.
 */
export const isAllowed = ({ file, fault, outcome, reason }: Tried): boolean =>
  outcome === 'right' ||
  (file === 'read-models.db' && outcome === 'wrong' && unnoticed.some((name) => fault.includes(name))) ||
  (file === 'events.db' && (outcome === 'named' || (outcome === 'refused' && reason.includes('event log'))));

/** Tries the faults of these seeds in both files, each in a separate copy; several at the same time. */
export const tryFaults = async (
  folder: string,
  seeds: ReadonlyArray<number>,
  onTried: (tried: Tried) => void,
  processes = 2,
): Promise<void> => {
  const originals: Originals = await makeOriginals(folder);
  const files: ReadonlyArray<DataFile> = ['events.db', 'read-models.db'];
  const work = seeds.flatMap((seed) => files.map((file) => ({ seed, file })));
  const runOne = async (): Promise<void> => {
    for (let next = work.shift(); next !== undefined; next = work.shift()) {
      const { seed, file } = next;
      const fault = faultOf(seed);
      const copy = join(folder, `${file}-${seed}`);
      cpSync(fault.ofKilled ? originals.killed : originals.closed, copy, { recursive: true });
      fault.apply(copy, file, originals);
      const first = await probed(copy, originals.expected);
      // A service that SQLite ended at damaged read models is started again, and rebuilds them.
      const isRestarted = first.outcome === 'aborted' && file === 'read-models.db';
      onTried({ file, seed, fault: fault.name, ...(isRestarted ? await probed(copy, originals.expected) : first) });
      rmSync(copy, { recursive: true, force: true });
    }
  };
  await Promise.all(Array.from({ length: processes }, runOne));
};
