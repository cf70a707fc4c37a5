import { accessSync, constants, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** The path itself or the nearest folder above it that exists. */
const nearestExisting = (path: string): string => {
  if (statSync(path, { throwIfNoEntry: false }) !== undefined) return path;
  const above = dirname(path);
  return above === path ? path : nearestExisting(above);
};

/** What is wrong with `DATA_DIR`: it cannot be created, or not be written to. Null if nothing. Creates nothing. */
export const dataFolderFault = (data_dir: string): string | null => {
  const wanted = 'DATA_DIR must be a folder, or a path where one can be created';
  try {
    const existing = nearestExisting(resolve(data_dir));
    if (!statSync(existing).isDirectory()) return `${wanted}: ${existing} is not a folder`;
    accessSync(existing, constants.W_OK | constants.X_OK);
    return null;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null;
    if (code === 'ENOTDIR') return `${wanted}: a part of ${data_dir} is not a folder`;
    return `${wanted}: writing to ${data_dir} is not permitted`;
  }
};
