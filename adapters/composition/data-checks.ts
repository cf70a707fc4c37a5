import { statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import * as E from 'fp-ts/lib/Either.js';
import { constVoid, identity } from 'fp-ts/lib/function.js';
import type { Config } from '../config/config.js';
import type { Job } from './check-process.js';
import { type FileCheck, startFileCheck } from './file-checks.js';

/** The check of one data file, for which a start waits. */
export interface DataCheck extends Pick<FileCheck, 'damage' | 'stop'> {
  /** What is wrong with the file; null if nothing is; undefined if the start has waited long enough. */
  readonly soon: Promise<string | null | undefined>;
}

/** The files of a service's data folder, and their checks. */
export interface DataChecks {
  readonly files: { readonly log: string; readonly rows: string };
  readonly log: DataCheck;
  readonly rows: DataCheck;
}

/**
 * How long a start waits for the check of a file, in milliseconds: to the end if the file can be read in about a
 * second; for a larger file, one second after reading began. The rest of the check runs beside the service.
 */
const patience = { small: 60_000, large: 1_000 };
const smallFile = 32_000_000;

/** 0 if it is not a file or cannot be examined: opening it reports why. */
const sizeOf = (file: string): number => {
  const found = E.tryCatch(() => statSync(file), identity);
  return E.isRight(found) && found.right.isFile() ? found.right.size : 0;
};

const nothingToCheck: DataCheck = {
  damage: Promise.resolve(null),
  soon: Promise.resolve(null),
  stop: constVoid,
};

/** Resolves when the start has waited long enough. */
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

/**
 * Finding out how the read models' file must be laid out loads a part of the service; meanwhile the process of the
 * check starts.
 */
const rowsJob = async (file: string): Promise<Job> => {
  const [{ layoutOf }, { projections }] = await Promise.all([
    import('../read-models/schema.js'),
    import('../../projections/projections.js'),
  ]);
  return { what: 'read-models', file, layout: layoutOf(projections) };
};

/** Begins to check the data files, each in its own process, while the service itself is being loaded. */
export const startDataChecks = ({ data_dir, event_store }: Pick<Config, 'data_dir' | 'event_store'>): DataChecks => {
  const [log, rows] = [join(data_dir, 'events.db'), join(data_dir, 'read-models.db')];
  return {
    files: { log, rows },
    log: event_store === 'sqlite' ? checkOf(log, Promise.resolve({ what: 'log', file: log })) : nothingToCheck,
    rows: checkOf(rows, rowsJob(rows)),
  };
};
