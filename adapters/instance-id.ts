import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { InstanceId } from '../domain/kernel/ids.js';

const kept = (file: string): string | null => {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return null;
  }
};

/** The id of the service on a data folder: the same after every restart, so that it finds what it held before. */
export const instanceIdIn = (data_dir: string, random: () => string): InstanceId => {
  const file = join(data_dir, 'instance-id');
  const known = kept(file);
  if (InstanceId.is(known)) return known;
  const made = random();
  if (!InstanceId.is(made)) throw new TypeError('a UUID is no InstanceId');
  writeFileSync(`${file}.new`, `${made}\n`);
  renameSync(`${file}.new`, file);
  return made;
};
