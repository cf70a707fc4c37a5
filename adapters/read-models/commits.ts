import { constVoid } from 'fp-ts/lib/function.js';

/** Transactions, one after the other. Once one has failed, all that follow fail. */
export interface Commits {
  /** Commits what is there; rejects when that fails. */
  readonly now: () => Promise<void>;
  /** Lets what is there be written as soon as what is being written is; resolves once that is. */
  readonly handOver: () => Promise<void>;
  /** Lets what is there be written together with what comes within a moment. */
  readonly soon: () => Promise<void>;
  /** Commits at once what waits for others to share its transaction. */
  readonly hurry: () => void;
  /** Resolves once nothing is being written. Never rejects. */
  readonly settled: () => Promise<void>;
  /** Milliseconds since the last transaction began. */
  readonly age: () => number;
}

/** At the head of the log, a transaction follows the last one after so many milliseconds, unless somebody waits for it. */
const shortestInterval = 25;

/** `commit` says whether there was something to write; `onFailed` is told why what nobody waits for was not. */
export const createCommits = (commit: () => Promise<void> | null, onFailed: (cause: unknown) => void): Commits => {
  let last = Promise.resolve();
  let began = performance.now();
  let sooner: NodeJS.Timeout | null = null;
  const begin = (): Promise<void> | null => {
    if (sooner !== null) clearTimeout(sooner);
    sooner = null;
    const written = commit();
    if (written !== null) began = performance.now();
    return written;
  };
  const now = (): Promise<void> => {
    last = last.then(begin).then(constVoid);
    last.catch(constVoid);
    return last;
  };
  const unawaited = (): void => void now().catch(onFailed);
  const handOver = (): Promise<void> => {
    const before = last;
    unawaited();
    return before;
  };
  const age = (): number => performance.now() - began;
  return {
    now,
    handOver,
    soon: () => {
      if (age() >= shortestInterval) return handOver();
      sooner ??= setTimeout(unawaited, shortestInterval - age());
      return Promise.resolve();
    },
    hurry: () => {
      if (sooner !== null) unawaited();
    },
    settled: () => last.catch(constVoid),
    age,
  };
};
