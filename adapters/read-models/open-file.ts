import { removeDatabase } from './database.js';
import { type Reader, createReader } from './reader.js';
import { type Session, openSession } from './session.js';

/** The read models' file, which may be made anew while it is in use. */
export interface OpenFile {
  readonly session: () => Session;
  readonly reader: () => Reader;
  /** Why it was made anew, once after each time; else null. */
  readonly takeReason: () => string | null;
  /** Removes the file and begins an empty one. */
  readonly makeAnew: (reason: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

/**
 * Opens the file, anew when it is known to be damaged; throws when it cannot be used. `shape`: what its content depends on
 * beside the events.
 */
export const openFile = (file: string, shape: string, damage: string | null): OpenFile => {
  if (damage !== null) removeDatabase(file);
  let session = openSession(file, shape);
  let reader = createReader(session);
  let reason = damage ?? session.madeAnew;
  return {
    session: () => session,
    reader: () => reader,
    takeReason: () => {
      const taken = reason;
      reason = null;
      return taken;
    },
    makeAnew: async (because) => {
      await session.close();
      removeDatabase(file);
      session = openSession(file, shape);
      reader = createReader(session);
      reason = because;
    },
    close: () => session.close(),
  };
};
