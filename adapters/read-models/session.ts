import * as E from 'fp-ts/lib/Either.js';
import { identity } from 'fp-ts/lib/function.js';
import type Database from 'libsql';
import type { StoredEvent } from '../../application/ports/event-store.js';
import type { Position } from '../../domain/kernel/recorded-event.js';
import { tables } from '../../projections/tables.js';
import { openDatabase } from './database.js';
import { type EventIndex, createEventIndex } from './event-index/event-index.js';
import { columnsOf } from './row-json.js';
import { storedTable } from './stored-table.js';
import { literal, openWriter } from './writer.js';

/** How far the rows are, and of which log. */
export interface Progress {
  readonly position: Position | null;
  /** The id of the first event that the projections read; null before there was one. */
  readonly log_id: string | null;
  /** The last event that was read, to be looked for in the log; null before there was one. */
  readonly last: Pick<StoredEvent, 'position' | 'id'> | null;
}

/** Enough for the rows of several videos with 10,000 tags each. */
const roomForTags = 6_000_000;

/** All tables, for reading through a connection. */
export const openTables = (db: Database.Database) => ({
  videos: storedTable(db, tables.videos),
  videoTags: storedTable(db, tables.videoTags, roomForTags),
  audios: storedTable(db, tables.audios),
  matchRuns: storedTable(db, tables.matchRuns),
  lateArrivals: storedTable(db, tables.lateArrivals),
  lateWrites: storedTable(db, tables.lateWrites),
  accounts: storedTable(db, tables.accounts),
  apiKeys: storedTable(db, tables.apiKeys),
  creditAccounts: storedTable(db, tables.creditAccounts),
  ledger: storedTable(db, tables.ledger),
  usage: storedTable(db, tables.usage),
  sessionKeys: storedTable(db, tables.sessionKeys),
});
export type StoredTables = ReturnType<typeof openTables>;

/** The open file: its rows, and how far they are. */
export interface Session {
  /** For reading. */
  readonly db: Database.Database;
  readonly rows: StoredTables;
  readonly index: EventIndex;
  /** Why the file was made anew; null when it goes on. */
  readonly madeAnew: string | null;
  /** What is committed. */
  readonly progress: () => Progress;
  /**
   * Writes the rows that were put and the new progress in one transaction, or none of it. Rejects also when another
   * process wrote meanwhile. Not twice at once.
   */
  readonly commit: (next: Progress) => Promise<void>;
  /** Forgets what is not committed and looks up anew how far the file is. */
  readonly forget: () => void;
  readonly close: () => void;
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const advance = (from: Progress, { position, log_id, last }: Progress): string =>
  `UPDATE progress SET position = ${literal(position)}, log_id = ${literal(log_id)},
   last_position = ${literal(last?.position ?? null)}, last_id = ${literal(last?.id ?? null)},
   advanced_from = ${literal(from.position)}`;

/** Opens the file, anew when it has to be; throws when it cannot be used. */
export const openSession = (file: string, shape: string): Session => {
  const { db, madeAnew } = openDatabase(file, shape);
  const writer = openWriter(file);
  const rows = openTables(db);
  const index = createEventIndex(db);
  const all = Object.values(rows);
  const select = db.prepare('SELECT position, log_id, last_position, last_id FROM progress').raw(true);
  const stored = (): Progress => {
    const [position = null, log_id = null, last_position = null, last_id = null] = columnsOf(select.get()).map(
      textOrNull,
    );
    const last = last_position === null || last_id === null ? null : { position: last_position, id: last_id };
    return { position, log_id, last };
  };
  let progress = stored();
  return {
    db,
    rows,
    index,
    madeAnew,
    progress: () => progress,
    commit: async (next) => {
      await writer.write([advance(progress, next), ...all.flatMap((table) => table.changes()), ...index.changes()]);
      all.forEach((table) => table.settle());
      progress = next;
    },
    forget: () => {
      all.forEach((table) => table.forget());
      index.forget();
      progress = stored();
    },
    close: () => {
      writer.close();
      E.tryCatch(() => db.exec('PRAGMA wal_checkpoint(TRUNCATE)'), identity);
      db.close();
    },
  };
};
