import type Database from 'libsql';
import type { ServedLog } from '../log/open-log.js';

/** From where groups go on after a restart: the first place that is not done with. */
export interface GroupCheckpoints {
  /** Null when the group has none yet. */
  readonly load: (key: string) => number | null;
  /** Resolves once it is durable, or could not be written: then the next one will be. */
  readonly save: (key: string, place: number) => Promise<void>;
}

/** Beside the checkpoints of this service's own processes, in the same table. */
export const createGroupCheckpoints = (db: Database.Database, write: ServedLog['write']): GroupCheckpoints => {
  const select = db.prepare('SELECT position FROM checkpoints WHERE process = ?').raw(true);
  const upsert = db.prepare(
    `INSERT INTO checkpoints (process, position) VALUES (?, ?)
     ON CONFLICT DO UPDATE SET position = max(position, excluded.position)`,
  );
  return {
    load: (key) => {
      const row: unknown = select.get(key);
      return Array.isArray(row) && typeof row[0] === 'number' ? row[0] : null;
    },
    save: async (key, place) => {
      await write({ run: () => upsert.run(key, place), characters: 0, newestRow: () => 0 });
    },
  };
};
