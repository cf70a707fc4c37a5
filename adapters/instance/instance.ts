import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { constVoid } from 'fp-ts/lib/function.js';
import { InstanceId } from '../../domain/kernel/ids.js';
import { takeFileLock } from './file-lock.js';

/** Who a running service is among those on one log. */
export interface Instance {
  readonly id: InstanceId;
  /** Another service that runs on the data folder has its id, so this one got an id for this run alone. */
  readonly is_guest: boolean;
  /** Lets the next service on the folder have its id. */
  readonly leave: () => void;
}

const kept = (file: string): string | null => {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return null;
  }
};

const newId = (random: () => string): InstanceId => {
  const made = random();
  if (!InstanceId.is(made)) throw new TypeError('the UUID is not an InstanceId');
  return made;
};

const idIn = (data_dir: string, random: () => string): InstanceId => {
  const file = join(data_dir, 'instance-id');
  const known = kept(file);
  if (InstanceId.is(known)) return known;
  const made = newId(random);
  writeFileSync(`${file}.new`, `${made}\n`);
  renameSync(`${file}.new`, file);
  return made;
};

/**
 * The id of the service on a data folder: the same after every restart, so that it finds what it held before, and
 * never one that another running service has.
 */
export const instanceIn = (data_dir: string, random: () => string): Instance => {
  const lock = takeFileLock(join(data_dir, 'instance.lock'));
  return lock === null
    ? { id: newId(random), is_guest: true, leave: constVoid }
    : { id: idIn(data_dir, random), is_guest: false, leave: lock.release };
};
