import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../../application/ports/log.js';

/** Files that the service creates in its data folder, and those that SQLite creates beside them. */
const isOurs = (name: string): boolean =>
  /^(events\.db|read-models\.db|keys\.db|keys\.secret|keys\.secret\.next|instance\.lock|instance-id)(-wal|-shm|-journal)?$/.test(
    name,
  );

const readableByOthers = 0o077;

/**
 * Creates the data folder if it is missing, readable only by its owner, and makes the files in it readable only by
 * their owner. For new files the umask of the process does so. A file whose mode cannot be changed is reported and used
 * as it is.
 */
export const secureDataFolder = (folder: string, log: Log): void => {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
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
