import * as E from 'fp-ts/lib/Either.js';
import { identity } from 'fp-ts/lib/function.js';
import type Database from 'libsql';
import type { AppendFailure, Appended, StoreUnavailable } from '../../../application/ports/event-store.js';
import { streamCategory } from '../../../domain/kernel/recorded-event.js';
import { hashOf } from '../../../projections/audit/event-hash.js';
import { inTransaction, query, utf8Of } from '../../runtime/sqlite.js';
import { type Append, firstRevision, hashedEvents } from '../new-events.js';
import { attempt, isBusy, toPosition, unavailable } from './file.js';
import { parseJson } from './read.js';

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
export const createGroupCommit = (db: Database.Database, lockTimeoutMs: number, onCommitted: () => void) => {
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
export const createInsert = (db: Database.Database, keepsHashes: boolean) => {
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
