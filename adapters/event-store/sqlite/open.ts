import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe, constVoid } from 'fp-ts/lib/function.js';
import Database from 'libsql';
import type { EventStore, StoreUnavailable, StoredEvent } from '../../../application/ports/event-store.js';
import { countFitting } from '../../../domain/kernel/size.js';
import type { Checkpoints } from '../../../application/ports/checkpoints.js';
import type { ChainedStore } from '../chained-store.js';
import { yieldForText } from '../../runtime/event-loop.js';
import { untilClosed, createSubscriptions } from '../store-lifecycle.js';
import { eventsOfRows, readPage, newestPages } from './pages.js';
import { type GroupCommit, createGroupCommit } from './group-commit.js';
import { type Insert, charactersOf, prepareAppend, createInsert } from './insertion.js';
import { type LargeAppends, largeAppends } from './large-append.js';
import { isPosition, toPosition, toRow, largeFrom as usuallyLargeFrom } from './event-row.js';
import { type Reader, createReader } from './reader.js';
import { attempt, attemptLater } from './transaction.js';
import { createCheckpoints } from './checkpoints.js';
import { fileOf, openDatabase } from './database.js';
import { startSubscription, type Tip, createTip } from './subscription.js';
import { createRowVerifier } from './verified-rows.js';

interface Parts {
  readonly reader: Reader;
  readonly writer: GroupCommit;
  readonly insert: Insert;
  readonly large: LargeAppends;
  /** An append of so many characters is large. */
  readonly largeFrom: number;
  readonly subscribe: EventStore['subscribe'];
}

/** So much of a stream is read and parsed in one go, in bytes. */
const largestSlice = 250_000;

const sumOf = (sizes: ReadonlyArray<number>): number => sizes.reduce((sum, size) => sum + size, 0);

/** Reads the next events of a stream, what is large in slices: before each, and after the last, others have their turn. */
const readSlices = async (
  reader: Reader,
  stream: string,
  after: number,
  limit: number,
  mostBytes: number,
): Promise<E.Either<StoreUnavailable, ReadonlyArray<StoredEvent>>> => {
  const found = attempt(() => reader.sizes(stream, after, limit));
  if (E.isLeft(found)) return found;
  const sizes = found.right.slice(0, countFitting(found.right, mostBytes));
  const events: StoredEvent[] = [];
  while (events.length < sizes.length) {
    const left = sizes.slice(events.length);
    const slice = left.slice(0, countFitting(left, largestSlice));
    const bytes = sumOf(slice);
    // oxlint-disable-next-line no-await-in-loop -- the pause is what it is for
    await yieldForText(bytes);
    const last = events.at(-1)?.revision ?? after;
    // oxlint-disable-next-line no-await-in-loop -- the same
    const read = await attemptLater(() =>
      eventsOfRows(reader, reader.stream(stream, last, slice.length, bytes > largestSlice)),
    );
    if (E.isLeft(read)) return read;
    events.push(...read.right);
    if (read.right.length < slice.length) break;
    // oxlint-disable-next-line no-await-in-loop -- the same
    if (events.length === sizes.length) await yieldForText(bytes);
  }
  return E.right(events);
};

/** The port, made of its parts. A function that throws becomes a failure of the port. */
const createEventStore = ({ reader, writer, insert, large, largeFrom, subscribe }: Parts): ChainedStore => ({
  append: (stream, expected, events, follows) => async () => {
    const prepared = prepareAppend(stream, expected, events, follows);
    if (E.isLeft(prepared)) return prepared;
    const characters = charactersOf(prepared.right);
    const written = await writer.write({
      run: (ends) => insert(prepared.right, ends),
      ...(characters < largeFrom ? {} : { runBeside: () => large.write(prepared.right) }),
      characters,
      newestRow: (answer) => (E.isRight(answer) ? toRow(answer.right.position) : 0),
    });
    return E.flattenW(written);
  },
  read:
    (stream, afterRevision, limit, mostBytes = Infinity) =>
    () =>
      readSlices(reader, stream, afterRevision, limit, mostBytes),
  readAll: (after, filter, limit) =>
    pipe(
      () => attemptLater(async () => readPage(reader, toRow(after), reader.head(), filter, limit)),
      TE.map(({ page }) => page),
    ),
  head: () =>
    TE.fromIOEither(() =>
      attempt(() => {
        const head = reader.head();
        return head === 0 ? null : toPosition(head);
      }),
    ),
  holds: ({ position, id }) =>
    TE.fromIOEither(() =>
      attempt(() => {
        if (!isPosition(position)) return false;
        const row = toRow(position);
        return reader.all(row - 1, row, {}, 1, false).some(([, , , found]) => found === id);
      }),
    ),
  isPosition,
  subscribe,
});

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
