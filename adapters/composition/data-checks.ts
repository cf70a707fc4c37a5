import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import * as E from 'fp-ts/lib/Either.js';
import { constVoid, identity } from 'fp-ts/lib/function.js';
import type { Config } from '../config/config.js';
import type { Job } from './check-process.js';
import { type FileCheck, startFileCheck } from './file-checks.js';

/** The check of one data file, as a start waits for it. */
export interface DataCheck extends Pick<FileCheck, 'damage' | 'stop'> {
  /** What is wrong with it; null for nothing, undefined when a start has waited long enough. */
  readonly soon: Promise<string | null | undefined>;
}

/** The files of a service's data folder, and their checks. */
export interface DataChecks {
  readonly files: { readonly log: string; readonly rows: string };
  readonly log: DataCheck;
  readonly rows: DataCheck;
}

/**
 * How long a start waits for the check of a file, in milliseconds: to the end for a file that is read in a second or so,
 * for a larger one only a second from when it is being read. The rest of the check goes on beside the service.
 */
const patience = { small: 60_000, large: 1_000 };
const smallFile = 32_000_000;

/** 0 for what is no file, or cannot be looked at: opening it tells why. */
const sizeOf = (file: string): number => {
  const found = E.tryCatch(() => statSync(file), identity);
  return E.isRight(found) && found.right.isFile() ? found.right.size : 0;
};

const nothingToCheck: DataCheck = {
  damage: Promise.resolve(null),
  soon: Promise.resolve(null),
  stop: constVoid,
};

/** Resolves when a start has waited long enough. */
const longEnough = async ({ started }: FileCheck, size: number): Promise<undefined> => {
  const isSmall = size <= smallFile;
  if (!isSmall) await started;
  return setTimeout(isSmall ? patience.small : patience.large, undefined, { ref: false });
};

const checkOf = (file: string, job: Promise<Job>): DataCheck => {
  const size = sizeOf(file);
  if (size === 0) return nothingToCheck;
  const check = startFileCheck(job);
  return { ...check, soon: Promise.race([check.damage, longEnough(check, size)]) };
};

/** What the read models' file has to be takes a part of the service to know: its process starts meanwhile. */
const rowsJob = async (file: string): Promise<Job> => {
  const [{ layoutOf }, { projections }] = await Promise.all([
    import('../read-models/schema.js'),
    import('../../projections/projections.js'),
  ]);
  return { what: 'read-models', file, layout: layoutOf(projections) };
};

/** Begins to check the data files, each in a process of its own, while the service itself is still being loaded. */
export const startDataChecks = ({ data_dir, event_store }: Pick<Config, 'data_dir' | 'event_store'>): DataChecks => {
  const [log, rows] = [join(data_dir, 'events.db'), join(data_dir, 'read-models.db')];
  return {
    files: { log, rows },
    log: event_store === 'sqlite' ? checkOf(log, Promise.resolve({ what: 'log', file: log })) : nothingToCheck,
    rows: checkOf(rows, rowsJob(rows)),
  };
};
