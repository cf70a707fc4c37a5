import { removeDatabase } from './database.js';
import { type Reader, createReader } from './reader.js';
import { type Session, openSession } from './session.js';

/** The file of the read models, which may be rebuilt while it is in use. */
export interface OpenFile {
  readonly session: () => Session;
  readonly reader: () => Reader;
  /** Why it was rebuilt; returned once after each rebuild, else null. */
  readonly takeReason: () => string | null;
  /** Replaces the file by an empty one. */
  readonly rebuild: (reason: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

/**
 * Opens the file, or replaces it by an empty one if it is known to be damaged. Throws when it cannot be used. `shape`
 * describes everything apart from the events that its content depends on.
 */
export const openFile = (file: string, shape: string, damage: string | null): OpenFile => {
  if (damage !== null) removeDatabase(file);
  let session = openSession(file, shape);
  let reader = createReader(session);
  let reason = damage ?? session.rebuildReason;
  return {
    session: () => session,
    reader: () => reader,
    takeReason: () => {
      const taken = reason;
      reason = null;
      return taken;
    },
    rebuild: async (because) => {
      await session.close();
      removeDatabase(file);
      session = openSession(file, shape);
      reader = createReader(session);
      reason = because;
    },
    close: () => session.close(),
  };
};
