import * as E from 'fp-ts/lib/Either.js';
import { constVoid } from 'fp-ts/lib/function.js';
import type Database from 'libsql';
import type { Checkpoints } from '../../../application/ports/checkpoints.js';
import type { EventStore, StoreUnavailable } from '../../../application/ports/event-store.js';
import { createCheckpoints } from './checkpoints.js';
import { untilClosed } from './closing.js';
import { openDatabase } from './database.js';
import { createEventStore } from './event-store.js';
import { createGroupCommit } from './group-commit.js';
import { createInsert } from './insertion.js';
import { createReader } from './reader.js';
import { createSubscriptions } from './subscriptions.js';
import { createTip } from './tip.js';
import { attempt } from './unavailable.js';

const tick = 200;

interface SqliteEventStoreOptions {
  /** The log's file; it is created when missing, its folder is not. */
  readonly file: string;
  /** For how many milliseconds appends wait for another process that holds the lock, before they fail. */
  readonly patience?: number;
  /** Told of failures in the background that no caller sees. */
  readonly onTrouble?: (trouble: StoreUnavailable) => void;
}

export interface SqliteEventStore {
  readonly store: EventStore;
  readonly checkpoints: Checkpoints;
  /** Ends the subscriptions, lets running handlers and waiting appends finish, and writes the checkpoints. */
  readonly close: () => Promise<void>;
}

/** The event log over a database that `openDatabase` opened. */
export const eventStoreOver = (
  db: Database.Database,
  { patience = 5_000, onTrouble = constVoid }: Omit<SqliteEventStoreOptions, 'file'> = {},
): SqliteEventStore => {
  const reader = createReader(db);
  const tip = createTip(reader.head());
  const writer = createGroupCommit(db, createInsert(db), { patience, onCommitted: tip.advance });
  const checkpoints = createCheckpoints(db);
  const subscriptions = createSubscriptions({ reader, tip });
  const tell = E.getOrElse(onTrouble);
  const ticking = setInterval(() => {
    tell(attempt(() => tip.advance(reader.head())));
    tell(checkpoints.flush());
  }, tick).unref();
  return untilClosed(createEventStore({ reader, writer, subscribe: subscriptions.subscribe }), checkpoints, {
    first: subscriptions.closeAll,
    last: async () => {
      await writer.drain();
      clearInterval(ticking);
      tell(checkpoints.flush());
      tell(attempt(() => void db.exec('PRAGMA wal_checkpoint(TRUNCATE)')));
      db.close();
    },
  });
};

/**
 * Opens the event log in a file, in which other processes may read and write at the same time: their events come to
 * subscriptions within a fifth of a second. Throws when the file cannot be used.
 */
export const openSqliteEventStore = ({ file, ...options }: SqliteEventStoreOptions): SqliteEventStore =>
  eventStoreOver(openDatabase(file), options);
