import type * as E from 'fp-ts/lib/Either.js';
import type Database from 'libsql';
import type { StoreUnavailable } from '../../../application/ports/event-store.js';
import type { Position } from '../../../domain/kernel/recorded-event.js';
import { toPosition } from './event-row.js';
import { inTransaction, attempt } from './transaction.js';

interface BufferedCheckpoints {
  readonly load: (process: string) => Position | null;
  readonly save: (process: string, row: number) => void;
  /** Writes what was saved since the last flush. What cannot be written is kept for the next flush. */
  readonly flush: () => E.Either<StoreUnavailable, void>;
}

/**
 * Checkpoints stored beside the events. `load` sees a saved checkpoint at once, but it is written with the next flush,
 * all in one transaction, so saving costs no fsync. A crash before the flush only causes events to be processed again.
 * A checkpoint never goes back: the greater of two is kept, since a second instance of a process may be slower.
 */
export const createCheckpoints = (db: Database.Database): BufferedCheckpoints => {
  const unwritten = new Map<string, number>();
  const select = db.prepare('SELECT position FROM checkpoints WHERE process = ?').raw(true);
  const upsert = db.prepare(
    `INSERT INTO checkpoints (process, position) VALUES (?, ?)
     ON CONFLICT DO UPDATE SET position = max(position, excluded.position)`,
  );
  const written = (process: string): number => {
    const row: unknown = select.get(process);
    return Array.isArray(row) ? Number(row[0]) : 0;
  };
  return {
    load: (process) => {
      const row = Math.max(written(process), unwritten.get(process) ?? 0);
      return row === 0 ? null : toPosition(row);
    },
    save: (process, row) => void unwritten.set(process, Math.max(row, unwritten.get(process) ?? 0)),
    flush: () =>
      attempt(() => {
        if (unwritten.size === 0) return;
        inTransaction(db, () => unwritten.forEach((row, process) => upsert.run(process, row)));
        unwritten.clear();
      }),
  };
};
