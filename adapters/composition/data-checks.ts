import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { constVoid } from 'fp-ts/lib/function.js';
import type { Config } from '../config/config.js';
import { compiledScript } from '../runtime/package-files.js';

/** The check of one data file. */
export interface DataCheck {
  /** What is wrong with the file; null if nothing is. Never rejects. */
  readonly damage: Promise<string | null>;
  /** The same; undefined if a start has waited long enough. The check of a large file goes on beside the service. */
  readonly soon: Promise<string | null | undefined>;
  /** Stops the check, which then finds nothing. */
  readonly stop: () => void;
}

/** How long a start waits for the check of a file, in milliseconds: to the end for one that takes about a second. */
const maxWaitMs = { small: 60_000, large: 1_000 };
const smallFile = 32_000_000;

/** 0 if it is not a file or cannot be examined: opening it reports why. */
const sizeOf = (file: string): number => {
  try {
    const found = statSync(file, { throwIfNoEntry: false });
    return found?.isFile() === true ? found.size : 0;
  } catch {
    return 0;
  }
};

const program = fileURLToPath(compiledScript('composition/check-process.js'));

/** Checks a file in a process of its own. A log is only opened, or checked page by page after an unclean end. */
export const checkFile = (what: 'open-log' | 'log', file: string): DataCheck => {
  let stop = constVoid;
  let isStopped = false;
  const damage = new Promise<string | null>((resolve) => {
    const child = execFile(process.execPath, [program, what, file], (error, found) => {
      const end = error?.signal ?? `code ${error?.code ?? ''}`;
      if (isStopped) resolve(null);
      else if (error !== null) resolve(`reading it ended a process with ${end}`);
      else resolve(found === '' ? null : found);
    });
    stop = () => {
      isStopped = true;
      child.kill('SIGKILL');
    };
  });
  const waitMs = sizeOf(file) <= smallFile ? maxWaitMs.small : maxWaitMs.large;
  return { damage, soon: Promise.race([damage, setTimeout(waitMs, undefined, { ref: false })]), stop };
};

const nothingToCheck: DataCheck = { damage: Promise.resolve(null), soon: Promise.resolve(null), stop: constVoid };

/** Where a service keeps its log, if that is in a file. */
export const logFileIn = (data_dir: string): string => join(data_dir, 'events.db');

/** Begins to check the log while the service itself is being loaded. */
export const startLogCheck = ({ data_dir, event_store }: Pick<Config, 'data_dir' | 'event_store'>): DataCheck =>
  event_store === 'sqlite' && sizeOf(logFileIn(data_dir)) > 0 ? checkFile('log', logFileIn(data_dir)) : nothingToCheck;
