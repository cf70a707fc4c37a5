import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { constVoid } from 'fp-ts/lib/function.js';
import type Database from 'libsql';
import type {
  Checkpoints,
  EventStore,
  StoreUnavailable,
  Subscription,
} from '../../../application/ports/event-store.js';
import type { Position } from '../../../domain/kernel/recorded-event.js';
import { inTransaction } from '../../runtime/sqlite.js';
import { type GroupCommit, createGroupCommit, createInsert } from './append.js';
import { type Reader, createReader, positionIn, toPosition, toRow } from './read.js';
import { attempt, openDatabase } from './file.js';
import { setImmediate } from 'node:timers/promises';

/** The newest row that this process knows of; wakes those that wait for a newer one. */
interface HeadSignal {
  readonly row: () => number;
  readonly advance: (row: number) => void;
  /** Resolves at the next `advance` or `wake`. */
  readonly moved: () => Promise<void>;
  /** Wakes all waiters so that they check whether to go on. */
  readonly wake: () => void;
}

/** Starts at the given row and never goes back. */
const createHeadSignal = (start: number): HeadSignal => {
  let head = start;
  let waiting: Array<() => void> = [];
  const wake = (): void => {
    const woken = waiting;
    waiting = [];
    woken.forEach((resolve) => resolve());
  };
  return {
    row: () => head,
    advance: (row) => {
      if (row <= head) return;
      head = row;
      wake();
    },
    moved: () => new Promise((resolve) => waiting.push(resolve)),
    wake,
  };
};

const maxPageEvents = 1_000;

interface Subscriptions {
  readonly subscribe: EventStore['subscribe'];
  /** Closes all running subscriptions; resolves once none of their handlers is running. */
  readonly closeAll: () => Promise<void>;
}

/**
 * Subscriptions, which read page by page, each page after the handler of the last one has finished, then wait at the
 * head of the log. A page without events reports how far the log was examined when nothing passes the filter. `refusal`
 * says why there can be no new ones.
 */
const createSubscriptions = (read: Reader['page'], head: HeadSignal, refusal: () => unknown): Subscriptions => {
  const running = new Set<Subscription>();
  const subscribe: EventStore['subscribe'] = (after, filter, { onPage, onCaughtUp, onFailure }) => {
    const closing = new AbortController();
    const fail = (failure: unknown): void => {
      running.delete(subscription);
      if (!closing.signal.aborted) onFailure(failure);
    };
    const follow = async (): Promise<void> => {
      await setImmediate();
      if (refusal() !== null) return fail(refusal());
      const start = attempt(() => toRow(after));
      if (E.isLeft(start)) return fail(start.left);
      for (let row = start.right; !closing.signal.aborted; await setImmediate()) {
        const page = attempt(() => read(row, head.row(), filter, maxPageEvents));
        if (E.isLeft(page)) return fail(page.left);
        if (page.right.examined === null) {
          onCaughtUp?.();
          while (!closing.signal.aborted && head.row() <= row) await head.moved();
        } else {
          await onPage(page.right);
          row = toRow(page.right.examined);
        }
      }
    };
    const ended = follow().catch(fail);
    const subscription: Subscription = {
      close: () => {
        closing.abort();
        head.wake();
        return ended.finally(() => running.delete(subscription));
      },
    };
    running.add(subscription);
    return subscription;
  };
  return {
    subscribe,
    closeAll: async () => {
      await Promise.all([...running].map(({ close }) => close()));
    },
  };
};

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
const createCheckpoints = (db: Database.Database): BufferedCheckpoints => {
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

const pollIntervalMs = 200;

interface SqliteEventStoreOptions {
  /** The log file; it is created when missing, but its folder is not. */
  readonly file: string;
  /** How long appends wait for the lock of another process before they fail, in milliseconds. */
  readonly lockTimeoutMs?: number;
  /** Whether appended events keep the hashes in their metadata, as in a copy of a log. */
  readonly keepsHashes?: boolean;
  /** Called with failures in the background that no caller sees. */
  readonly onBackgroundFailure?: (trouble: StoreUnavailable) => void;
}

/** The parts below the port, for those that serve the log over another protocol. */
export interface EventLog {
  readonly db: Database.Database;
  readonly headSignal: HeadSignal;
  readonly writer: GroupCommit;
}

export interface SqliteEventStore {
  readonly store: EventStore;
  readonly checkpoints: Checkpoints;
  /** Must not be used after `close` was called. */
  readonly log: EventLog;
  /** Refuses everything from now on, for this reason: the log's file is damaged. */
  readonly refuse: (reason: string) => void;
  /** Ends the subscriptions, lets running handlers and queued appends finish, and writes the checkpoints. */
  readonly close: () => Promise<void>;
}

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
    refusal ??= { _tag: 'StoreUnavailable', reason };
  };
  const reader = createReader(db);
  const headSignal = createHeadSignal(reader.head());
  const writer = createGroupCommit(db, lockTimeoutMs, headSignal.advance);
  const insert = createInsert(db, keepsHashes);
  const checkpoints = createCheckpoints(db);
  let isClosing = false;
  const subscriptions = createSubscriptions(reader.page, headSignal, () => (isClosing ? closedStore : refusal));
  const report = E.getOrElse(onBackgroundFailure);
  const polling = setInterval(() => {
    report(attempt(() => headSignal.advance(reader.head())));
    report(checkpoints.flush());
  }, pollIntervalMs).unref();

  const answered =
    <A>(work: () => A): TE.TaskEither<StoreUnavailable, A> =>
    async () =>
      refusal === null ? attempt(work) : E.left(refusal);
  const store: EventStore = {
    append: (stream, expected, events) => async () => {
      if (refusal !== null) return E.left(refusal);
      if (events.length === 0)
        return E.left({ _tag: 'StoreUnavailable', reason: 'an append needs at least one event' });
      const written = await writer.write({
        run: () => insert({ stream, expected, events }),
        newestRow: (answer) => (E.isRight(answer) ? toRow(answer.right.position) : 0),
      });
      return E.flattenW(written);
    },
    read: (...wanted) => answered(() => reader.stream(...wanted)),
    readAll: (after, filter, limit) => answered(() => reader.page(toRow(after), reader.head(), filter, limit)),
    head: () =>
      answered(() => {
        const head = reader.head();
        return head === 0 ? null : toPosition(head);
      }),
    holds: ({ position, id }) => answered(() => reader.holds(position, id)),
    positionIn,
    subscribe: subscriptions.subscribe,
  };
  const end = async (): Promise<void> => {
    isClosing = true;
    await subscriptions.closeAll();
    refuse(closedStore.reason);
    await writer.drain();
    clearInterval(polling);
    report(checkpoints.flush());
    report(attempt(() => void db.exec('PRAGMA wal_checkpoint(TRUNCATE)')));
    db.close();
  };
  let ended: Promise<void> | null = null;
  return {
    store,
    checkpoints: {
      load: (process) => answered(() => checkpoints.load(process)),
      save: (process, position) => answered(() => checkpoints.save(process, toRow(position))),
    },
    log: { db, headSignal, writer },
    refuse,
    close: () => (ended ??= end()),
  };
};

const closedStore: StoreUnavailable = { _tag: 'StoreUnavailable', reason: 'the event store is closed' };

/**
 * Opens the event log in a file. Other processes may read and write it at the same time; subscriptions receive their
 * events within 200 ms. Throws when the file cannot be used.
 */
export const openSqliteEventStore = ({ file, ...options }: SqliteEventStoreOptions): SqliteEventStore =>
  eventStoreOver(openDatabase(file), options);
