import { EventEmitter } from 'node:events';
import * as E from 'fp-ts/lib/Either.js';
import { constVoid, identity } from 'fp-ts/lib/function.js';
import type Database from 'libsql';
import type {
  AppendFailure,
  Appended,
  Checkpoints,
  EventStore,
  StoreUnavailable,
} from '../../../application/ports/event-store.js';
import { type Position, streamCategory } from '../../../domain/kernel/recorded-event.js';
import { hashOf } from '../../../projections/audit/event-hash.js';
import { inTransaction, query, utf8Of } from '../../runtime/sqlite.js';
import { type Append, firstRevision, hashedEvents } from '../new-events.js';
import { attempt, isBusy, openDatabase, positionIn, toPosition, toRow, unavailable } from './file.js';
import { createReader, createSubscriptions, parseJson } from './read.js';

interface Pending {
  /** Returns a function that answers once the transaction is durable. */
  readonly run: () => () => void;
  readonly fail: (failure: StoreUnavailable) => void;
}

/** How much work shares a transaction at most. */
const maxGroup = 128;
const lockRetryMs = 5;

/**
 * Work that arrives while a transaction is being written shares the next one, and so one fsync. Each is answered after
 * the commit; if that fails, all of the group fail. While another process holds the lock, the group waits for
 * `lockTimeoutMs`.
 */
const createGroupCommit = (db: Database.Database, lockTimeoutMs: number, onCommitted: () => void) => {
  const queue: Pending[] = [];
  let lockedSince: number | null = null;

  const isStillLocked = (cause: unknown): boolean => {
    lockedSince ??= performance.now();
    return isBusy(cause) && performance.now() - lockedSince < lockTimeoutMs;
  };
  const commit = (): void => {
    const group = queue.slice(0, maxGroup);
    const done = E.tryCatch(() => inTransaction(db, () => group.map(({ run }) => run())), identity);
    if (E.isLeft(done) && isStillLocked(done.left)) return void setTimeout(commit, lockRetryMs);
    lockedSince = null;
    queue.splice(0, group.length);
    if (E.isLeft(done)) group.forEach(({ fail }) => fail(unavailable(done.left)));
    else {
      done.right.forEach((answer) => answer());
      onCommitted();
    }
    if (queue.length > 0) setImmediate(commit);
  };
  /** Runs the work in a transaction. Resolves once that is durable or has failed; then nothing of it is kept. */
  const write = <Answer>(work: () => Answer): Promise<E.Either<StoreUnavailable, Answer>> =>
    new Promise((resolve) => {
      const run = () => {
        const answer = work();
        return () => resolve(E.right(answer));
      };
      if (queue.push({ run, fail: (failure) => resolve(E.left(failure)) }) === 1) setImmediate(commit);
    });
  return { write };
};

/**
 * Inserts all events of an append or none, inside the caller's transaction, each with its hash, which continues from the
 * last one of the stream. The same ids at the same expected revision again return the first result; an id that exists
 * elsewhere is a conflict. With `keepsHashes`, as for a copy of a log, the events keep the hashes that they have.
 */
const createInsert = (db: Database.Database, keepsHashes: boolean) => {
  const newest = query(
    db,
    'SELECT position, revision, CAST(metadata AS BLOB) FROM events WHERE stream = ? ORDER BY revision DESC LIMIT 1',
  );
  const known = query(
    db,
    `SELECT count(*), sum(stream = ?1 AND revision = ?2 + key), max(position)
     FROM json_each(?3) CROSS JOIN events ON event_id = value`,
  );
  const insertRow = db.prepare(
    'INSERT INTO events (stream, category, revision, event_id, type, data, metadata) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  /** The last event of a stream; null if there is none. */
  const endOf = (stream: string) => {
    const [row, revision, bytes] = newest.first(stream);
    if (row === undefined) return null;
    const metadata = parseJson(utf8Of(bytes) ?? '', Number(row), 'metadata');
    return { revision: Number(revision), hash: hashOf({ metadata }) };
  };
  return (append: Append): E.Either<AppendFailure, Appended> => {
    const { stream, expected, events } = append;
    const found = attempt(() => endOf(stream));
    if (E.isLeft(found)) return found;
    const end = found.right;
    const actual = end?.revision ?? 'no_stream';
    const [category, first] = [streamCategory(stream), firstRevision(expected)];
    const revision = first + events.length - 1;
    const ids = events.map(({ id }) => id);
    const [stored, repeated, lastRow] = known.first(stream, first, JSON.stringify(ids));
    if (repeated === events.length) return E.right({ revision, position: toPosition(Number(lastRow)), repeated: true });
    if (actual !== expected || stored !== 0 || new Set(ids).size < ids.length)
      return E.left({ _tag: 'RevisionConflict', stream, expected, actual });
    const rows = hashedEvents(append, end?.hash ?? null).map(({ id, type, dataText, metadataText }, index) => {
      const metadata = keepsHashes ? JSON.stringify(events[index]?.metadata) : metadataText;
      return [stream, category, first + index, id, type, dataText, metadata];
    });
    const last = rows.reduce((_, row) => Number(insertRow.run(row).lastInsertRowid), 0);
    return E.right({ revision, position: toPosition(last) });
  };
};

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
