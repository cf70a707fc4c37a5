import * as E from 'fp-ts/lib/Either.js';
import { identity } from 'fp-ts/lib/function.js';
import type Database from 'libsql';
import type { StoreUnavailable } from '../../../application/ports/event-store.js';
import { yieldIfBusy, nextTurn, startTurnTimer } from '../../runtime/event-loop.js';
import type { StreamEnds } from './insertion.js';
import { inTransaction, isBusy, unavailable } from './transaction.js';

/** Something to write inside a transaction that others may share. */
export interface Work<Answer> {
  /**
   * Writes all of it or nothing; what it throws makes the whole transaction fail. It is told what the transaction has
   * written so far, and adds to it.
   */
  readonly run: (ends: StreamEnds) => Answer;
  /** About how many characters it writes. */
  readonly characters: number;
  /** The newest row that the answer speaks of; 0 for none. */
  readonly newestRow: (answer: Answer) => number;
  /** For work that takes long: does it beside the event loop, in a transaction of its own. Rejects when that fails. */
  readonly runBeside?: () => Promise<Answer>;
}

/** The newest row, and what tells the answer once the transaction is durable. */
interface Done {
  readonly row: number;
  readonly tell: () => void;
}

interface Waiting {
  readonly characters: number;
  readonly run: (ends: StreamEnds) => Done;
  readonly runBeside: (() => Promise<Done>) | null;
  readonly fail: (failure: StoreUnavailable) => void;
}

export interface GroupCommit {
  /** Resolves once the work is durable, or could not be written. Never rejects. */
  readonly write: <Answer>(work: Work<Answer>) => Promise<E.Either<StoreUnavailable, Answer>>;
  /** Whether work is being done beside the event loop, which holds the lock. */
  readonly isBeside: () => boolean;
  /** Resolves once nothing waits. */
  readonly drain: () => Promise<void>;
}

interface GroupCommitSettings {
  /** For how long another process's lock is waited for, in milliseconds, before the waiting work fails. */
  readonly patience: number;
  /** Told of the newest row after each commit that answered any work. */
  readonly onCommitted: (row: number) => void;
}

const mostAppends = 256;
const mostCharacters = 4_000_000;
const pauseWhenBusy = 5;
/** To write so many characters takes long enough to wait for a turn that has not been long at work. */
const manyCharacters = 250_000;
/** After so many characters what is in the write-ahead log is carried over, before that has to be done within a commit. */
const charactersInLog = 4_000_000;

const waitingFor = <Answer>(
  { run, runBeside, characters, newestRow }: Work<Answer>,
  resolve: (outcome: E.Either<StoreUnavailable, Answer>) => void,
): Waiting => {
  const done = (answer: Answer): Done => ({ row: newestRow(answer), tell: () => resolve(E.right(answer)) });
  return {
    characters,
    run: (ends) => done(run(ends)),
    runBeside: runBeside === undefined ? null : async () => done(await runBeside()),
    fail: (failure) => resolve(E.left(failure)),
  };
};

const charactersOf = (group: ReadonlyArray<Waiting>): number =>
  group.reduce((sum, { characters }) => sum + characters, 0);

/** What shares the next transaction: work that is done beside the event loop shares none. */
const nextGroup = (queue: ReadonlyArray<Waiting>): ReadonlyArray<Waiting> => {
  if (queue[0] !== undefined && queue[0].runBeside !== null) return queue.slice(0, 1);
  let characters = 0;
  const full = queue.slice(0, mostAppends).findIndex((waiting, index) => {
    characters += waiting.characters;
    return index > 0 && (characters > mostCharacters || waiting.runBeside !== null);
  });
  return queue.slice(0, full === -1 ? mostAppends : full);
};

/** Carries over what was written into the database's file, after many characters and in a turn of its own. */
const carryingOver = (db: Database.Database): ((characters: number) => void) => {
  let written = 0;
  const carryOver = (): void => {
    // Where it cannot be done now, as when all is closed meanwhile, a later commit does it.
    E.tryCatch(() => void db.exec('PRAGMA wal_checkpoint(PASSIVE)'), identity);
  };
  return (characters) => {
    written += characters;
    if (written < charactersInLog) return;
    written = 0;
    void nextTurn().then(carryOver);
  };
};

type Written = E.Either<unknown, ReadonlyArray<Done>>;

const inOneTransaction = (db: Database.Database, group: ReadonlyArray<Waiting>): Written => {
  const ends: StreamEnds = new Map();
  return E.tryCatch(() => inTransaction(db, () => group.map(({ run }) => run(ends))), identity);
};

/** Tells the answers, and gives the newest row of all. */
const tellAll = (answers: ReadonlyArray<Done>): number => {
  answers.forEach(({ tell }) => tell());
  return answers.reduce((newest, { row }) => Math.max(newest, row), 0);
};

/** Whether what failed is to be tried again, for so many milliseconds from its first failure on. */
const patienceOf = (patience: number): ((written: Written) => boolean) => {
  let busySince: number | null = null;
  return (written) => {
    const since = busySince ?? performance.now();
    const mayWait = E.isLeft(written) && isBusy(written.left) && performance.now() - since < patience;
    busySince = mayWait ? since : null;
    return mayWait;
  };
};

/** Writes in a later turn, once, however often that is asked for until it is over. */
const inLaterTurn = (charactersWaiting: () => number, write: () => void) => {
  let scheduled = false;
  const writeSoon = (): void => {
    startTurnTimer();
    const turn = charactersWaiting() > manyCharacters ? yieldIfBusy() : null;
    if (turn === null) write();
    else void turn.then(write);
  };
  return {
    schedule: (later: (next: () => void) => void): void => {
      if (!scheduled) later(writeSoon);
      scheduled = true;
    },
    isOver: (): void => {
      scheduled = false;
    },
  };
};

/**
 * Work that arrives in one turn of the event loop, or while a commit is being written, shares one transaction and so
 * one fsync. Each is answered only after the commit. When the commit fails, all of the group fail and none is kept.
 */
export const createGroupCommit = (
  db: Database.Database,
  { patience, onCommitted }: GroupCommitSettings,
): GroupCommit => {
  const queue: Waiting[] = [];
  const drained: Array<() => void> = [];
  let beside = false;
  const mayWait = patienceOf(patience);
  const carryOver = carryingOver(db);

  const settle = (group: ReadonlyArray<Waiting>, written: Written): void => {
    queue.splice(0, group.length);
    isOver();
    if (E.isLeft(written)) group.forEach(({ fail }) => fail(unavailable(written.left)));
    else onCommitted(tellAll(written.right));
    if (queue.length > 0) schedule(setImmediate);
    else drained.splice(0).forEach((resolve) => resolve());
  };
  const writeTogether = (group: ReadonlyArray<Waiting>): void => {
    const written = inOneTransaction(db, group);
    if (mayWait(written)) {
      isOver();
      return schedule((next) => setTimeout(next, pauseWhenBusy));
    }
    settle(group, written);
    if (E.isRight(written)) carryOver(charactersOf(group));
  };
  const writeBeside = async (group: ReadonlyArray<Waiting>, work: Promise<Done>): Promise<void> => {
    beside = true;
    const written = await work.then((done) => E.right([done]), E.left);
    beside = false;
    settle(group, written);
  };
  const writeNext = (): void => {
    const group = nextGroup(queue);
    const work = group[0]?.runBeside?.() ?? null;
    if (work === null) writeTogether(group);
    else void writeBeside(group, work);
  };
  const { schedule, isOver } = inLaterTurn(() => charactersOf(queue), writeNext);

  return {
    write: (work) =>
      new Promise((resolve) => {
        queue.push(waitingFor(work, resolve));
        schedule(setImmediate);
      }),
    isBeside: () => beside,
    drain: () => (queue.length === 0 ? Promise.resolve() : new Promise((resolve) => drained.push(resolve))),
  };
};
