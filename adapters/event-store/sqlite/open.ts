import * as E from 'fp-ts/lib/Either.js';
import { constVoid } from 'fp-ts/lib/function.js';
import type Database from 'libsql';
import type { Checkpoints } from '../../../application/ports/checkpoints.js';
import type { StoreUnavailable } from '../../../application/ports/event-store.js';
import type { ChainedStore } from '../chained-store.js';
import { untilClosed } from '../closing.js';
import { createSubscriptions } from '../subscriptions.js';
import { createCheckpoints } from './checkpoints.js';
import { fileOf, openDatabase } from './database.js';
import { largeFrom as usuallyLargeFrom } from './event-row.js';
import { createEventStore } from './event-store.js';
import { type GroupCommit, createGroupCommit } from './group-commit.js';
import { createInsert } from './insertion.js';
import { largeAppends } from './large-append.js';
import { newestPages } from './newest-page.js';
import { createReader } from './reader.js';
import { startSubscription } from './subscription.js';
import { type Tip, createTip } from './tip.js';
import { attempt } from './unavailable.js';
import { createRowVerifier } from './verified-rows.js';

const tick = 200;

interface SqliteEventStoreOptions {
  /** The log's file; it is created when missing, its folder is not. */
  readonly file: string;
  /** For how many milliseconds appends wait for another process that holds the lock, before they fail. */
  readonly patience?: number;
  /** Appends of so many characters are written on a thread of their own. */
  readonly largeFrom?: number;
  /** Whether events are given out only when their hashes are right. */
  readonly verified?: boolean;
  /** Told of failures in the background that no caller sees. */
  readonly onTrouble?: (trouble: StoreUnavailable) => void;
}

/** The log below the port, for those who serve it in another protocol. */
export interface EventLog {
  readonly db: Database.Database;
  readonly tip: Tip;
  readonly writer: GroupCommit;
}

export interface SqliteEventStore {
  readonly store: ChainedStore;
  readonly checkpoints: Checkpoints;
  /** To be left alone once `close` was called. */
  readonly log: EventLog;
  /** Ends the subscriptions, lets running handlers and waiting appends finish, and writes the checkpoints. */
  readonly close: () => Promise<void>;
}

/** The event log over a database that `openDatabase` opened. */
export const eventStoreOver = (
  db: Database.Database,
  {
    patience = 5_000,
    largeFrom = usuallyLargeFrom,
    verified = false,
    onTrouble = constVoid,
  }: Omit<SqliteEventStoreOptions, 'file'> = {},
): SqliteEventStore => {
  const reader = createReader(db, verified ? createRowVerifier(db) : undefined);
  const tip = createTip(reader.head());
  const writer = createGroupCommit(db, { patience, onCommitted: tip.advance });
  const checkpoints = createCheckpoints(db);
  const read = newestPages(reader);
  const subscriptions = createSubscriptions((...call) => startSubscription({ read, tip }, ...call));
  const tell = E.getOrElse(onTrouble);
  const ticking = setInterval(() => {
    tell(attempt(() => tip.advance(reader.head())));
    if (!writer.isBeside()) tell(checkpoints.flush());
  }, tick).unref();
  const large = largeAppends(fileOf(db), patience);
  const { subscribe } = subscriptions;
  const store = createEventStore({ reader, writer, insert: createInsert(db), large, largeFrom, subscribe });
  const opened = untilClosed(store, checkpoints, {
    first: subscriptions.closeAll,
    last: async () => {
      await writer.drain();
      await large.close();
      clearInterval(ticking);
      tell(checkpoints.flush());
      tell(attempt(() => void db.exec('PRAGMA wal_checkpoint(TRUNCATE)')));
      db.close();
    },
  });
  return { ...opened, log: { db, tip, writer } };
};

/**
 * Opens the event log in a file, in which other processes may read and write at the same time: their events come to
 * subscriptions within a fifth of a second. Throws when the file cannot be used.
 */
export const openSqliteEventStore = ({ file, ...options }: SqliteEventStoreOptions): SqliteEventStore =>
  eventStoreOver(openDatabase(file), options);
