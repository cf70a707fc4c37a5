import * as E from 'fp-ts/lib/Either.js';
import { identity } from 'fp-ts/lib/function.js';
import type Database from 'libsql';
import type { Appended, RevisionConflict, StoreUnavailable } from '../../../application/ports/event-store.js';
import type { Insert, PreparedAppend } from './insertion.js';
import { toRow } from './position.js';
import { inTransaction } from './transaction.js';
import { isBusy, unavailable } from './unavailable.js';

type Answer = E.Either<RevisionConflict | StoreUnavailable, Appended>;

interface Waiting {
  readonly append: PreparedAppend;
  readonly answer: (answer: Answer) => void;
}

export interface GroupCommit {
  /** Resolves once the append is durable, or refused, or failed. Never rejects. */
  readonly append: (append: PreparedAppend) => Promise<Answer>;
  /** Resolves once nothing waits. */
  readonly drain: () => Promise<void>;
}

interface GroupCommitSettings {
  /** For how long another process's lock is waited for, in milliseconds, before the waiting appends fail. */
  readonly patience: number;
  /** Told of the newest row after each commit that answered any append. */
  readonly onCommitted: (row: number) => void;
}

const mostAppends = 256;
const mostCharacters = 4_000_000;
const pauseWhenBusy = 5;

const weigh = ({ append }: Waiting): number =>
  append.events.reduce((sum, [, , data, metadata]) => sum + data.length + metadata.length, 0);

const nextGroup = (queue: ReadonlyArray<Waiting>): ReadonlyArray<Waiting> => {
  let characters = 0;
  const full = queue.slice(0, mostAppends).findIndex((waiting, index) => {
    characters += weigh(waiting);
    return index > 0 && characters > mostCharacters;
  });
  return queue.slice(0, full === -1 ? mostAppends : full);
};

const newestOf = (answers: ReadonlyArray<Answer>): number =>
  answers.reduce((newest, answer) => (E.isRight(answer) ? Math.max(newest, toRow(answer.right.position)) : newest), 0);

/**
 * Appends that arrive in one turn of the event loop, or while a commit is being written, share one transaction and so
 * one fsync. Each is answered only after the commit. When the commit fails, all of the group fail and none is kept.
 */
export const createGroupCommit = (
  db: Database.Database,
  insert: Insert,
  { patience, onCommitted }: GroupCommitSettings,
): GroupCommit => {
  const queue: Waiting[] = [];
  const drained: Array<() => void> = [];
  let scheduled = false;
  let busySince: number | null = null;

  const mayWait = (cause: unknown): boolean => {
    if (!isBusy(cause)) return false;
    busySince ??= performance.now();
    return performance.now() - busySince < patience;
  };
  const finish = (group: ReadonlyArray<Waiting>, answers: (index: number) => Answer): void => {
    queue.splice(0, group.length);
    busySince = null;
    group.forEach(({ answer }, index) => answer(answers(index)));
  };
  const writeNext = (): void => {
    scheduled = false;
    const group = nextGroup(queue);
    const written = E.tryCatch(() => inTransaction(db, () => group.map(({ append }) => insert(append))), identity);
    if (E.isLeft(written)) {
      if (mayWait(written.left)) return schedule((next) => setTimeout(next, pauseWhenBusy));
      finish(group, () => E.left(unavailable(written.left)));
    } else {
      finish(group, (index) => written.right[index] ?? E.left(unavailable('the append got no answer')));
      onCommitted(newestOf(written.right));
    }
    if (queue.length > 0) schedule(setImmediate);
    else drained.splice(0).forEach((resolve) => resolve());
  };
  const schedule = (later: (next: () => void) => void): void => {
    if (!scheduled) later(writeNext);
    scheduled = true;
  };

  return {
    append: (append) =>
      new Promise((answer) => {
        queue.push({ append, answer });
        schedule(setImmediate);
      }),
    drain: () => (queue.length === 0 ? Promise.resolve() : new Promise((resolve) => drained.push(resolve))),
  };
};
