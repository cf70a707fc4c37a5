import * as E from 'fp-ts/lib/Either.js';
import type Database from 'libsql';
import type {
  Appended,
  ExpectedRevision,
  RevisionConflict,
  StoreUnavailable,
} from '../../../application/ports/event-store.js';
import { streamCategory } from '../../../domain/kernel/stream-name.js';
import type { ChainedEvent } from '../chained-store.js';
import { toPosition } from './event-row.js';
import { attempt, isUniqueViolation } from './transaction.js';

interface StreamEnd {
  readonly revision: number;
  /** The text of the metadata; its last field is the event's hash. */
  readonly metadata: string;
}

/**
 * The last event that the current transaction has written to each stream. No other writer is active meanwhile, and it
 * is dropped with the transaction. It saves a query for an append that follows another one in the same transaction.
 */
export type StreamEnds = Map<string, StreamEnd>;

/** Whether this transaction wrote the event at this revision, with this hash. */
const hasWritten = (ends: StreamEnds, stream: string, revision: number, hash: string): boolean => {
  const end = ends.get(stream);
  return end !== undefined && end.revision === revision && end.metadata.endsWith(hash, end.metadata.length - 2);
};

/** An append whose events are already serialised as JSON. */
export interface PreparedAppend {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: ReadonlyArray<readonly [id: string, type: string, data: string, metadata: string]>;
  /** The hash that the event at the expected revision must have; null for any. */
  readonly follows: string | null;
}

/** The number of characters that an append writes. */
export const charactersOf = ({ events }: PreparedAppend): number =>
  events.reduce((sum, [, , data, metadata]) => sum + data.length + metadata.length, 0);

export type Insert = (append: PreparedAppend, ends: StreamEnds) => E.Either<RevisionConflict, Appended>;

const emptyStream = -1;
const noRevision = -2;

const revisionNumber = (expected: ExpectedRevision): number => {
  if (expected === 'no_stream') return emptyStream;
  return Number.isSafeInteger(expected) && expected >= 0 ? expected : noRevision;
};

/** Serialises the events of an append as JSON, outside any transaction. */
export const prepareAppend = (
  stream: string,
  expected: ExpectedRevision,
  events: ReadonlyArray<ChainedEvent>,
  follows?: string,
): E.Either<StoreUnavailable, PreparedAppend> =>
  attempt(() => {
    if (events.length === 0) throw new Error('an append needs at least one event');
    return {
      stream,
      expected,
      follows: follows ?? null,
      events: events.map(({ id, type, data, metadata, texts }) => [
        id,
        type,
        texts?.data ?? JSON.stringify(data),
        texts?.metadata ?? JSON.stringify(metadata),
      ]),
    };
  });

/** Runs the work; returns null, with its inserts undone, when it inserts an id that already exists. */
const unlessIdExists = (db: Database.Database, severalRows: boolean, work: () => Appended | null): Appended | null => {
  if (severalRows) db.exec('SAVEPOINT one_append');
  try {
    return work();
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    if (severalRows) db.exec('ROLLBACK TO one_append');
    return null;
  } finally {
    if (severalRows && db.inTransaction) db.exec('RELEASE one_append');
  }
};

/**
 * Inserts all events of an append or none, inside the caller's transaction. The same ids at the same expected revision
 * again return the first result; an id that exists elsewhere is a conflict.
 */
export const createInsert = (db: Database.Database): Insert => {
  const insertRow = (condition: string) =>
    db.prepare(
      `INSERT INTO events (stream, category, revision, event_id, type, data, metadata)
       SELECT ?1, ?2, ?3 + 1, ?4, ?5, ?6, ?7 WHERE ${condition}`,
    );
  const insertNext = insertRow(`?3 = (SELECT coalesce(max(revision), ${emptyStream}) FROM events WHERE stream = ?1)`);
  /** A single search for the last event finds both its revision and its hash. */
  const insertFollowing = insertRow(
    `(?3, ?8) = (SELECT revision, substr(metadata, -66, 64) FROM events WHERE stream = ?1 ORDER BY revision DESC LIMIT 1)`,
  );
  const insertAll = ({ stream, expected, events, follows }: PreparedAppend, ends: StreamEnds): Appended | null => {
    const first = revisionNumber(expected);
    const category = streamCategory(stream);
    const checksHash = follows !== null && !hasWritten(ends, stream, first, follows);
    let row = 0;
    for (const [index, event] of events.entries()) {
      const { changes, lastInsertRowid } =
        index === 0 && checksHash
          ? insertFollowing.run(stream, category, first, ...event, follows)
          : insertNext.run(stream, category, first + index, ...event);
      if (changes === 0) return null;
      row = Number(lastInsertRowid);
    }
    return { revision: first + events.length, position: toPosition(row) };
  };
  const earlierAnswer = createEarlierAnswer(db);
  return (append, ends) => {
    const appended = unlessIdExists(db, append.events.length > 1, () => insertAll(append, ends));
    if (appended !== null) {
      const [, , , metadata] = append.events.at(-1) ?? [];
      if (metadata !== undefined) ends.set(append.stream, { revision: appended.revision, metadata });
      return E.right(appended);
    }
    return append.follows === null ? earlierAnswer(append) : otherHistory(earlierAnswer(append));
  };
};

const otherHistory = E.mapLeft((conflict: RevisionConflict): RevisionConflict =>
  conflict.actual === conflict.expected ? { ...conflict, other_history: true } : conflict,
);

const createEarlierAnswer = (db: Database.Database) => {
  const findSame = db
    .prepare(
      `SELECT count(*), max(events.position) FROM json_each(?3) AS id
       JOIN events ON events.stream = ?1 AND events.revision = ?2 + 1 + id.key AND events.event_id = id.value`,
    )
    .raw(true);
  const findRevision = db.prepare('SELECT max(revision) FROM events WHERE stream = ?').raw(true);
  return ({ stream, expected, events }: PreparedAppend): E.Either<RevisionConflict, Appended> => {
    const first = revisionNumber(expected);
    const same: unknown = findSame.get(stream, first, JSON.stringify(events.map(([id]) => id)));
    if (Array.isArray(same) && same[0] === events.length)
      return E.right({ revision: first + events.length, position: toPosition(Number(same[1])), repeated: true });
    const found: unknown = findRevision.get(stream);
    const revision: unknown = Array.isArray(found) ? found[0] : null;
    const actual = typeof revision === 'number' ? revision : 'no_stream';
    return E.left({ _tag: 'RevisionConflict', stream, expected, actual });
  };
};
