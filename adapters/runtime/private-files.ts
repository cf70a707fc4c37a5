import { chmodSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Log } from '../../application/ports/log.js';

/** Files that the service creates in its data folder, and those that SQLite creates beside them. */
const isOurs = (name: string): boolean =>
  /^(events\.db|read-models\.db|keys\.db|keys\.secret|keys\.secret\.next|instance\.lock|instance-id)(-wal|-shm|-journal)?$/.test(
    name,
  );

const readableByOthers = 0o077;

/**
 * Creates a folder, readable only by its owner, and those above it, unless they exist. Node's own recursive creation never
 * ends where the system refuses to create a folder as if the one above it were missing, as in `/proc`.
 */
export const createFolder = (folder: string): void => {
  if (existsSync(folder)) return;
  createFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have created it meanwhile.
    if (!existsSync(folder)) throw error;
  }
};

/**
 * Creates the data folder if it is missing, readable only by its owner, and makes the files in it readable only by
 * their owner. For new files the umask of the process does so. A file whose mode cannot be changed is reported and used
 * as it is.
 */
export const secureDataFolder = (folder: string, log: Log): void => {
  createFolder(folder);
  for (const name of readdirSync(folder).filter(isOurs)) {
    const file = join(folder, name);
    try {
      if ((statSync(file).mode & readableByOthers) !== 0) chmodSync(file, 0o600);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      log.warn('a data file can be read by other users', { file, reason });
    }
  }
};
