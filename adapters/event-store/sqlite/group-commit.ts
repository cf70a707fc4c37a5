import * as E from 'fp-ts/lib/Either.js';
import { identity } from 'fp-ts/lib/function.js';
import type Database from 'libsql';
import type { StoreUnavailable } from '../../../application/ports/event-store.js';
import { yieldIfBusy, nextTurn, startTurnTimer } from '../../runtime/event-loop.js';
import type { StreamEnds } from './insertion.js';
import { inTransaction, isBusy, unavailable } from './transaction.js';

/** Work to do inside a transaction that other work may share. */
export interface Work<Answer> {
  /**
   * Writes all of it or nothing. An exception makes the whole transaction fail. `ends` holds what the transaction has
   * written so far; the work adds to it.
   */
  readonly run: (ends: StreamEnds) => Answer;
  /** The approximate number of characters that it writes. */
  readonly characters: number;
  /** The newest row that the answer refers to; 0 for none. */
  readonly newestRow: (answer: Answer) => number;
  /** For work that takes long: does it on another thread, in a transaction of its own. Rejects when that fails. */
  readonly runOnThread?: () => Promise<Answer>;
}

/** The newest row of a piece of work, and a function that delivers its answer once the transaction is durable. */
interface Done {
  readonly row: number;
  readonly reply: () => void;
}

interface PendingWork {
  readonly characters: number;
  readonly run: (ends: StreamEnds) => Done;
  readonly runOnThread: (() => Promise<Done>) | null;
  readonly fail: (failure: StoreUnavailable) => void;
}

export interface GroupCommit {
  /** Resolves once the work is durable or has failed. Never rejects. */
  readonly write: <Answer>(work: Work<Answer>) => Promise<E.Either<StoreUnavailable, Answer>>;
  /** Whether another thread is writing and holds the lock. */
  readonly isWritingOnThread: () => boolean;
  /** Resolves once no work is queued. */
  readonly drain: () => Promise<void>;
}

interface GroupCommitSettings {
  /** How long to wait for the lock of another process before the queued work fails, in milliseconds. */
  readonly lockTimeoutMs: number;
  /** Called with the newest row after each commit. */
  readonly onCommitted: (row: number) => void;
}

const maxAppends = 256;
const maxCharacters = 4_000_000;
const lockRetryMs = 5;
/** Writing this many characters takes long enough to yield first when the current turn has been running for long. */
const yieldCharacters = 250_000;
/**
 * After this many characters the write-ahead log is checkpointed, so that SQLite does not have to do it within a
 * commit.
 */
const walCharacters = 4_000_000;

const pendingWork = <Answer>(
  { run, runOnThread, characters, newestRow }: Work<Answer>,
  resolve: (outcome: E.Either<StoreUnavailable, Answer>) => void,
): PendingWork => {
  const done = (answer: Answer): Done => ({ row: newestRow(answer), reply: () => resolve(E.right(answer)) });
  return {
    characters,
    run: (ends) => done(run(ends)),
    runOnThread: runOnThread === undefined ? null : async () => done(await runOnThread()),
    fail: (failure) => resolve(E.left(failure)),
  };
};

const charactersOf = (group: ReadonlyArray<PendingWork>): number =>
  group.reduce((sum, { characters }) => sum + characters, 0);

/** The work for the next transaction. Work for another thread does not share a transaction. */
const nextGroup = (queue: ReadonlyArray<PendingWork>): ReadonlyArray<PendingWork> => {
  if (queue[0] !== undefined && queue[0].runOnThread !== null) return queue.slice(0, 1);
  let characters = 0;
  const full = queue.slice(0, maxAppends).findIndex((waiting, index) => {
    characters += waiting.characters;
    return index > 0 && (characters > maxCharacters || waiting.runOnThread !== null);
  });
  return queue.slice(0, full === -1 ? maxAppends : full);
};

/** Checkpoints the write-ahead log in a turn of its own, each time that enough characters were written. */
const walCheckpointer = (db: Database.Database): ((characters: number) => void) => {
  let written = 0;
  const checkpointWal = (): void => {
    // If it fails now, for instance because everything is being closed, a later commit does it.
    E.tryCatch(() => void db.exec('PRAGMA wal_checkpoint(PASSIVE)'), identity);
  };
  return (characters) => {
    written += characters;
    if (written < walCharacters) return;
    written = 0;
    void nextTurn().then(checkpointWal);
  };
};

type Written = E.Either<unknown, ReadonlyArray<Done>>;

const inOneTransaction = (db: Database.Database, group: ReadonlyArray<PendingWork>): Written => {
  const ends: StreamEnds = new Map();
  return E.tryCatch(() => inTransaction(db, () => group.map(({ run }) => run(ends))), identity);
};

/** Delivers the answers and returns the newest row of all. */
const replyAll = (answers: ReadonlyArray<Done>): number => {
  answers.forEach(({ reply }) => reply());
  return answers.reduce((newest, { row }) => Math.max(newest, row), 0);
};

/**
 * Decides whether failed work is tried again: while another process holds the lock, for `timeoutMs` from the first
 * failure.
 */
const retryWhileLocked = (timeoutMs: number): ((written: Written) => boolean) => {
  let busySince: number | null = null;
  return (written) => {
    const since = busySince ?? performance.now();
    const shouldRetry = E.isLeft(written) && isBusy(written.left) && performance.now() - since < timeoutMs;
    busySince = shouldRetry ? since : null;
    return shouldRetry;
  };
};

/** Runs `write` once in a later turn, however often it is scheduled before `writeEnded` is called. */
const inLaterTurnOnce = (charactersWaiting: () => number, write: () => void) => {
  let scheduled = false;
  const writeSoon = (): void => {
    startTurnTimer();
    const turn = charactersWaiting() > yieldCharacters ? yieldIfBusy() : null;
    if (turn === null) write();
    else void turn.then(write);
  };
  return {
    schedule: (later: (next: () => void) => void): void => {
      if (!scheduled) later(writeSoon);
      scheduled = true;
    },
    writeEnded: (): void => {
      scheduled = false;
    },
  };
};

/**
 * Work that arrives in the same turn of the event loop, or while a commit is being written, shares one transaction and
 * so one fsync. Each piece is answered only after the commit. If the commit fails, all of the group fail and nothing of
 * it is kept.
 */
export const createGroupCommit = (
  db: Database.Database,
  { lockTimeoutMs, onCommitted }: GroupCommitSettings,
): GroupCommit => {
  const queue: PendingWork[] = [];
  const drained: Array<() => void> = [];
  let onThread = false;
  const shouldRetry = retryWhileLocked(lockTimeoutMs);
  const checkpointWal = walCheckpointer(db);

  const finish = (group: ReadonlyArray<PendingWork>, written: Written): void => {
    queue.splice(0, group.length);
    writeEnded();
    if (E.isLeft(written)) group.forEach(({ fail }) => fail(unavailable(written.left)));
    else onCommitted(replyAll(written.right));
    if (queue.length > 0) schedule(setImmediate);
    else drained.splice(0).forEach((resolve) => resolve());
  };
  const writeTogether = (group: ReadonlyArray<PendingWork>): void => {
    const written = inOneTransaction(db, group);
    if (shouldRetry(written)) {
      writeEnded();
      return schedule((next) => setTimeout(next, lockRetryMs));
    }
    finish(group, written);
    if (E.isRight(written)) checkpointWal(charactersOf(group));
  };
  const writeOnThread = async (group: ReadonlyArray<PendingWork>, work: Promise<Done>): Promise<void> => {
    onThread = true;
    const written = await work.then((done) => E.right([done]), E.left);
    onThread = false;
    finish(group, written);
  };
  const writeNext = (): void => {
    const group = nextGroup(queue);
    const work = group[0]?.runOnThread?.() ?? null;
    if (work === null) writeTogether(group);
    else void writeOnThread(group, work);
  };
  const { schedule, writeEnded } = inLaterTurnOnce(() => charactersOf(queue), writeNext);

  return {
    write: (work) =>
      new Promise((resolve) => {
        queue.push(pendingWork(work, resolve));
        schedule(setImmediate);
      }),
    isWritingOnThread: () => onThread,
    drain: () => (queue.length === 0 ? Promise.resolve() : new Promise((resolve) => drained.push(resolve))),
  };
};
