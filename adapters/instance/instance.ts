import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { constVoid } from 'fp-ts/lib/function.js';
import { InstanceId } from '../../domain/kernel/ids.js';
import { type FileLock, takeFileLock } from './file-lock.js';

/** The identity of a running service among the instances on one log. */
export interface Instance {
  readonly id: InstanceId;
  /** Another service running on the same data folder uses its id, so this one got an id for this run only. */
  readonly is_guest: boolean;
  /** Releases the id for the next service on the folder. */
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

/** The lock that a service holds on its data folder. Null if another process holds it. */
export const takeInstanceLock = (data_dir: string): FileLock | null => takeFileLock(join(data_dir, 'instance.lock'));

/**
 * The id of the service on a data folder. It is the same after every restart, so that the service finds the work it had
 * claimed, and never the id of another running service.
 */
export const instanceIn = (data_dir: string, random: () => string): Instance => {
  const lock = takeInstanceLock(data_dir);
  return lock === null
    ? { id: newId(random), is_guest: true, leave: constVoid }
    : { id: idIn(data_dir, random), is_guest: false, leave: lock.release };
};
