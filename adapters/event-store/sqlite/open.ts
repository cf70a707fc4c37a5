import { EventEmitter } from 'node:events';
import * as E from 'fp-ts/lib/Either.js';
import { constVoid } from 'fp-ts/lib/function.js';
import type Database from 'libsql';
import type { Checkpoints, EventStore, StoreUnavailable } from '../../../application/ports/event-store.js';
import type { Position } from '../../../domain/kernel/recorded-event.js';
import { query } from '../../runtime/sqlite.js';
import { createGroupCommit, createInsert } from './append.js';
import { attempt, openDatabase, positionIn, toPosition, toRow } from './file.js';
import { createReader, createSubscriptions } from './read.js';

const pollIntervalMs = 200;

interface SqliteEventStoreOptions {
  /** The log file; it is created when missing, but its folder is not. */
  readonly file: string;
  /** How long appends wait for the lock of another process before they fail, in milliseconds. */
  readonly lockTimeoutMs?: number;
  /** Whether appended events keep the hashes in their metadata, as in a copy of a log. */
  readonly keepsHashes?: boolean;
  /** Called with failures in the background that no caller sees. */
  readonly onBackgroundFailure?: (problem: StoreUnavailable) => void;
}

/** The parts below the port, for those that serve the log over another protocol. */
export interface EventLog {
  readonly db: Database.Database;
  /** Emits `appended` after events were appended, by this process or another. */
  readonly appended: EventEmitter;
  readonly writer: ReturnType<typeof createGroupCommit>;
}

export interface SqliteEventStore {
  readonly store: EventStore;
  /** Stored beside the events. */
  readonly checkpoints: Checkpoints;
  /** Must not be used after `close` was called. */
  readonly log: EventLog;
  /** Refuses everything from now on, for this reason: the log's file is damaged. */
  readonly refuse: (reason: string) => void;
  /** Ends the subscriptions, and lets running handlers and queued appends finish. */
  readonly close: () => Promise<void>;
}

/** Null for row 0, which is before the first event. */
const positionOf = (row: number): Position | null => (row === 0 ? null : toPosition(row));

const failure = (reason: string): StoreUnavailable => ({ _tag: 'StoreUnavailable', reason });

/** The event log on a database opened by `openDatabase`. */
export const eventStoreOver = (
  db: Database.Database,
  {
    lockTimeoutMs = 5_000,
    keepsHashes = false,
    onBackgroundFailure = constVoid,
  }: Omit<SqliteEventStoreOptions, 'file'> = {},
): SqliteEventStore => {
  /** Why nothing is answered; null while everything is. */
  let refusal: StoreUnavailable | null = null;
  const refuse = (reason: string): void => {
    refusal ??= failure(reason);
  };
  const reader = createReader(db);
  const appended = new EventEmitter().setMaxListeners(0);
  let head = reader.head();
  const lookForEvents = (): void => {
    const found = attempt(reader.head);
    if (E.isLeft(found)) return onBackgroundFailure(found.left);
    if (found.right > head) appended.emit('appended');
    head = found.right;
  };
  const writer = createGroupCommit(db, lockTimeoutMs, lookForEvents);
  const insert = createInsert(db, keepsHashes);
  const checkpoint = query(db, 'SELECT coalesce(max(position), 0) FROM checkpoints WHERE process = ?');
  // A checkpoint never goes back: a second instance of a process may be slower.
  const saveCheckpoint = db.prepare(
    `INSERT INTO checkpoints (process, position) VALUES (?, ?)
     ON CONFLICT DO UPDATE SET position = max(position, excluded.position)`,
  );
  const polling = setInterval(lookForEvents, pollIntervalMs).unref();
  const answered =
    <A>(work: () => A) =>
    async (): Promise<E.Either<StoreUnavailable, A>> =>
      refusal === null ? attempt(work) : E.left(refusal);
  const written = async <A>(work: () => A): Promise<E.Either<StoreUnavailable, A>> =>
    refusal === null ? writer.write(work) : E.left(refusal);
  const readAll: EventStore['readAll'] = (...wanted) => answered(() => reader.page(...wanted));
  const subscriptions = createSubscriptions(readAll, appended);
  const store: EventStore = {
    append: (stream, expected, events) => async () =>
      events.length === 0
        ? E.left(failure('an append needs at least one event'))
        : E.flattenW(await written(() => insert({ stream, expected, events }))),
    read: (...wanted) => answered(() => reader.stream(...wanted)),
    readAll,
    head: () => answered(() => positionOf(reader.head())),
    at: (position) => answered(() => reader.at(position)),
    positionIn,
    subscribe: subscriptions.subscribe,
  };
  const end = async (): Promise<void> => {
    await subscriptions.closeAll();
    refuse('the event store is closed');
    await writer.write(constVoid);
    clearInterval(polling);
    E.getOrElse(onBackgroundFailure)(attempt(() => void db.exec('PRAGMA wal_checkpoint(TRUNCATE)')));
    db.close();
  };
  let ended: Promise<void> | null = null;
  return {
    store,
    checkpoints: {
      load: (process) => answered(() => positionOf(Number(checkpoint.first(process)[0]))),
      save: (process, position) => () => written(() => void saveCheckpoint.run(process, toRow(position))),
    },
    log: { db, appended, writer },
    refuse,
    close: () => (ended ??= end()),
  };
};

/**
 * Opens the event log in a file. Other processes may read and write it at the same time; subscriptions receive their
 * events within 200 ms. Throws when the file cannot be used.
 */
export const openSqliteEventStore = ({ file, ...options }: SqliteEventStoreOptions): SqliteEventStore =>
  eventStoreOver(openDatabase(file), options);
