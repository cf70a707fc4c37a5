import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe, constVoid } from 'fp-ts/lib/function.js';
import Database from 'libsql';
import type { EventStore, StoreUnavailable, StoredEvent } from '../../../application/ports/event-store.js';
import { countFitting } from '../../runtime/json-size.js';
import type { Checkpoints } from '../../../application/ports/checkpoints.js';
import type { ChainedStore } from '../chained-store.js';
import { yieldForText } from '../../runtime/event-loop.js';
import { closable, trackSubscriptions } from '../store-lifecycle.js';
import { eventsOfRows, readPage, sharedPages } from './pages.js';
import { type GroupCommit, createGroupCommit } from './group-commit.js';
import { type Insert, charactersOf, prepareAppend, createInsert } from './insertion.js';
import { type LargeAppends, largeAppends } from './large-append.js';
import { isPosition, positionIn, toPosition, toRow, largeFrom as defaultLargeFrom } from './event-row.js';
import { type Reader, createReader } from './reader.js';
import { attempt, attemptAsync } from './transaction.js';
import { createCheckpoints } from './checkpoints.js';
import { fileOf, openDatabase } from './database.js';
import { startSubscription, type HeadSignal, createHeadSignal } from './subscription.js';
import { createRowVerifier } from './verified-rows.js';

interface StoreParts {
  readonly reader: Reader;
  readonly writer: GroupCommit;
  readonly insert: Insert;
  readonly large: LargeAppends;
  /** An append of this many characters is written on a separate thread. */
  readonly largeFrom: number;
  readonly subscribe: EventStore['subscribe'];
}

/** How much of a stream is read and parsed at once, in bytes. */
const sliceBytes = 250_000;

const sumOf = (sizes: ReadonlyArray<number>): number => sizes.reduce((sum, size) => sum + size, 0);

/**
 * Reads the next events of a stream. Large amounts are read in slices, yielding before each slice and after the last.
 */
const readSlices = async (
  reader: Reader,
  stream: string,
  after: number,
  limit: number,
  maxBytes: number,
): Promise<E.Either<StoreUnavailable, ReadonlyArray<StoredEvent>>> => {
  const found = attempt(() => reader.sizes(stream, after, limit));
  if (E.isLeft(found)) return found;
  const sizes = found.right.slice(0, countFitting(found.right, maxBytes));
  const events: StoredEvent[] = [];
  while (events.length < sizes.length) {
    const left = sizes.slice(events.length);
    const slice = left.slice(0, countFitting(left, sliceBytes));
    const bytes = sumOf(slice);
    // oxlint-disable-next-line no-await-in-loop -- the pause is what it is for
    await yieldForText(bytes);
    const last = events.at(-1)?.revision ?? after;
    // oxlint-disable-next-line no-await-in-loop -- the same
    const read = await attemptAsync(() =>
      eventsOfRows(reader, reader.stream(stream, last, slice.length, bytes > sliceBytes)),
    );
    if (E.isLeft(read)) return read;
    events.push(...read.right);
    if (read.right.length < slice.length) break;
    // oxlint-disable-next-line no-await-in-loop -- the same
    if (events.length === sizes.length) await yieldForText(bytes);
  }
  return E.right(events);
};

/** The port. Exceptions become failures of the port. */
const createEventStore = ({ reader, writer, insert, large, largeFrom, subscribe }: StoreParts): ChainedStore => ({
  append: (stream, expected, events, follows) => async () => {
    const prepared = prepareAppend(stream, expected, events, follows);
    if (E.isLeft(prepared)) return prepared;
    const characters = charactersOf(prepared.right);
    const written = await writer.write({
      run: (ends) => insert(prepared.right, ends),
      ...(characters < largeFrom ? {} : { runOnThread: () => large.write(prepared.right) }),
      characters,
      newestRow: (answer) => (E.isRight(answer) ? toRow(answer.right.position) : 0),
    });
    return E.flattenW(written);
  },
  read:
    (stream, afterRevision, limit, maxBytes = Infinity) =>
    () =>
      readSlices(reader, stream, afterRevision, limit, maxBytes),
  readAll: (after, filter, limit) =>
    pipe(
      () => attemptAsync(async () => readPage(reader, toRow(after), reader.head(), filter, limit)),
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
  positionIn,
  subscribe,
});

const pollIntervalMs = 200;

interface SqliteEventStoreOptions {
  /** The log file; it is created when missing, but its folder is not. */
  readonly file: string;
  /** How long appends wait for the lock of another process before they fail, in milliseconds. */
  readonly lockTimeoutMs?: number;
  /** Appends of this many characters are written on a separate thread. */
  readonly largeFrom?: number;
  /** Whether events are returned only if their hashes are correct. */
  readonly verified?: boolean;
  /** Whether events are read although events before them are missing, as for an audit that names those. */
  readonly acceptsGaps?: boolean;
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
  readonly store: ChainedStore;
  readonly checkpoints: Checkpoints;
  /** Must not be used after `close` was called. */
  readonly log: EventLog;
  /** Ends the subscriptions, lets running handlers and queued appends finish, and writes the checkpoints. */
  readonly close: () => Promise<void>;
}

/** The event log on a database opened by `openDatabase`. */
export const eventStoreOver = (
  db: Database.Database,
  {
    lockTimeoutMs = 5_000,
    largeFrom = defaultLargeFrom,
    verified = false,
    acceptsGaps = false,
    onBackgroundFailure = constVoid,
  }: Omit<SqliteEventStoreOptions, 'file'> = {},
): SqliteEventStore => {
  const reader = createReader(db, verified ? createRowVerifier(db) : undefined, acceptsGaps);
  const headSignal = createHeadSignal(reader.head());
  const writer = createGroupCommit(db, { lockTimeoutMs, onCommitted: headSignal.advance });
  const checkpoints = createCheckpoints(db);
  const read = sharedPages(reader);
  const subscriptions = trackSubscriptions((...call) => startSubscription({ read, headSignal }, ...call));
  const tell = E.getOrElse(onBackgroundFailure);
  const polling = setInterval(() => {
    tell(attempt(() => headSignal.advance(reader.head())));
    if (!writer.isWritingOnThread()) tell(checkpoints.flush());
  }, pollIntervalMs).unref();
  const large = largeAppends(fileOf(db), lockTimeoutMs);
  const { subscribe } = subscriptions;
  const store = createEventStore({ reader, writer, insert: createInsert(db), large, largeFrom, subscribe });
  const opened = closable(store, checkpoints, {
    first: subscriptions.closeAll,
    last: async () => {
      await writer.drain();
      await large.close();
      clearInterval(polling);
      tell(checkpoints.flush());
      tell(attempt(() => void db.exec('PRAGMA wal_checkpoint(TRUNCATE)')));
      db.close();
    },
  });
  return { ...opened, log: { db, headSignal, writer } };
};

/**
 * Opens the event log in a file. Other processes may read and write it at the same time; subscriptions receive their
 * events within 200 ms. Throws when the file cannot be used.
 */
export const openSqliteEventStore = ({ file, ...options }: SqliteEventStoreOptions): SqliteEventStore =>
  eventStoreOver(openDatabase(file), options);
