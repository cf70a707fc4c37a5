import * as E from 'fp-ts/lib/Either.js';
import { identity } from 'fp-ts/lib/function.js';
import type Database from 'libsql';
import type {
  AppendFailure,
  Appended,
  RevisionConflict,
  StoreUnavailable,
} from '../../../application/ports/event-store.js';
import { streamCategory } from '../../../domain/kernel/stream-name.js';
import { hashOf } from '../../../projections/audit/event-hash.js';
import { inTransaction, utf8Of } from '../../runtime/sqlite.js';
import { type Append, type HashedEvent, firstRevision, hashedEvents } from '../hash.js';
import { parseJson, toPosition } from './read.js';
import { attempt, isBusy, isUniqueViolation, unavailable } from './file.js';

/** Work to do inside a transaction that other work may share: all of it or nothing. */
export interface Work<Answer> {
  /** An exception makes the whole transaction fail. */
  readonly run: () => Answer;
  /** The newest row that the answer refers to; 0 for none. */
  readonly newestRow: (answer: Answer) => number;
}

export interface GroupCommit {
  /** Resolves once the work is durable or has failed. Never rejects. */
  readonly write: <Answer>(work: Work<Answer>) => Promise<E.Either<StoreUnavailable, Answer>>;
  /** Resolves once no work is queued. */
  readonly drain: () => Promise<void>;
}

interface Pending {
  /** Returns the newest row, and a function that answers once the transaction is durable. */
  readonly run: () => { readonly row: number; readonly answer: () => void };
  readonly fail: (failure: StoreUnavailable) => void;
}

/** How much work shares a transaction at most. */
const maxGroup = 128;
const lockRetryMs = 5;

/**
 * Work that arrives while a transaction is being written shares the next one, and so one fsync. Each is answered after
 * the commit; if that fails, all of the group fail and nothing of it is kept. While another process holds the lock, the
 * group waits for `lockTimeoutMs`. `onCommitted` is called with the newest row after each commit.
 */
export const createGroupCommit = (
  db: Database.Database,
  lockTimeoutMs: number,
  onCommitted: (row: number) => void,
): GroupCommit => {
  const queue: Pending[] = [];
  const drained: Array<() => void> = [];
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
      done.right.forEach(({ answer }) => answer());
      onCommitted(Math.max(...done.right.map(({ row }) => row)));
    }
    if (queue.length > 0) setImmediate(commit);
    else drained.splice(0).forEach((resolve) => resolve());
  };
  return {
    write: ({ run, newestRow }) =>
      new Promise((resolve) => {
        const pending: Pending = {
          run: () => {
            const answer = run();
            return { row: newestRow(answer), answer: () => resolve(E.right(answer)) };
          },
          fail: (failure) => resolve(E.left(failure)),
        };
        if (queue.push(pending) === 1) setImmediate(commit);
      }),
    drain: () => (queue.length === 0 ? Promise.resolve() : new Promise((resolve) => drained.push(resolve))),
  };
};

/** The last event of a stream. */
interface StreamEnd {
  readonly revision: number;
  readonly hash: string | null;
}

const createStreamEnd = (db: Database.Database) => {
  const select = db
    .prepare(
      'SELECT position, revision, CAST(metadata AS BLOB) FROM events WHERE stream = ? ORDER BY revision DESC LIMIT 1',
    )
    .raw(true);
  return (stream: string): StreamEnd | null => {
    const found: unknown = select.get(stream);
    if (!Array.isArray(found)) return null;
    const columns: ReadonlyArray<unknown> = found;
    const [row, revision, bytes] = columns;
    const metadata = parseJson(utf8Of(bytes) ?? '', Number(row), 'metadata');
    return { revision: Number(revision), hash: hashOf({ metadata }) };
  };
};

/** The result of an append that was made before, or the conflict. */
const createEarlierAnswer = (db: Database.Database) => {
  const findSame = db
    .prepare(
      `SELECT count(*), max(events.position) FROM json_each(?3) AS id
       JOIN events ON events.stream = ?1 AND events.revision = ?2 + id.key AND events.event_id = id.value`,
    )
    .raw(true);
  return ({ stream, expected, events }: Append, end: StreamEnd | null): E.Either<RevisionConflict, Appended> => {
    const first = firstRevision(expected);
    const same: unknown = findSame.get(stream, first, JSON.stringify(events.map(({ id }) => id)));
    return Array.isArray(same) && same[0] === events.length
      ? E.right({ revision: first + events.length - 1, position: toPosition(Number(same[1])), repeated: true })
      : E.left({ _tag: 'RevisionConflict', stream, expected, actual: end === null ? 'no_stream' : end.revision });
  };
};

/** Runs the inserts of an append; undoes them and returns null when an id already exists. */
const unlessIdExists = (db: Database.Database, severalRows: boolean, inserts: () => number): number | null => {
  if (severalRows) db.exec('SAVEPOINT one_append');
  try {
    return inserts();
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    if (severalRows) db.exec('ROLLBACK TO one_append');
    return null;
  } finally {
    if (severalRows && db.inTransaction) db.exec('RELEASE one_append');
  }
};

/**
 * Inserts all events of an append or none, inside the caller's transaction, each with its hash, which continues from the
 * last one of the stream. The same ids at the same expected revision again return the first result; an id that exists
 * elsewhere is a conflict. With `keepsMetadata`, as for a copy of a log, the events keep the hashes that they have.
 */
export const createInsert = (
  db: Database.Database,
  keepsMetadata: boolean,
): ((append: Append) => E.Either<AppendFailure, Appended>) => {
  const insertRow = db.prepare(
    'INSERT INTO events (stream, category, revision, event_id, type, data, metadata) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const endOf = createStreamEnd(db);
  const earlierAnswer = createEarlierAnswer(db);
  const insertAll = (append: Append, hashed: ReadonlyArray<HashedEvent>): number => {
    const category = streamCategory(append.stream);
    let revision = firstRevision(append.expected);
    let row = 0;
    for (const [index, { id, type, dataText, metadataText }] of hashed.entries()) {
      const metadata = keepsMetadata ? JSON.stringify(append.events[index]?.metadata) : metadataText;
      row = Number(insertRow.run(append.stream, category, revision, id, type, dataText, metadata).lastInsertRowid);
      revision += 1;
    }
    return row;
  };
  return (append) => {
    const found = attempt(() => endOf(append.stream));
    if (E.isLeft(found)) return found;
    const end = found.right;
    if (append.expected === 'no_stream' ? end !== null : end?.revision !== append.expected)
      return earlierAnswer(append, end);
    const hashed = hashedEvents(append, end?.hash ?? null);
    const row = unlessIdExists(db, hashed.length > 1, () => insertAll(append, hashed));
    if (row === null) return earlierAnswer(append, end);
    const revision = firstRevision(append.expected) + hashed.length - 1;
    return E.right({ revision, position: toPosition(row) });
  };
};
