import { setImmediate } from 'node:timers/promises';
import * as E from 'fp-ts/lib/Either.js';
import { constVoid } from 'fp-ts/lib/function.js';
import type { Awaited, Change, ReadModelBehind } from '../../projections/queries.js';
import type { Position } from '../../domain/kernel/recorded-event.js';

/** What a commit changed of the rows that can be waited for. */
export interface AwaitedChanges {
  /** The ids of match runs. */
  readonly runs: ReadonlyArray<string>;
  readonly videos: boolean;
  readonly audios: boolean;
}

/** Notifies those that wait for changes of rows. */
interface RowChanges {
  /** The next change of these rows. Returns null once the read models are closed. */
  readonly next: (of: Awaited) => Change | null;
  readonly changed: (changes: AwaitedChanges) => void;
  /** The rows were replaced: all may have changed. */
  readonly allChanged: () => void;
  /** No further changes will come. */
  readonly end: () => void;
}

const runKey = (run_id: string): string => `run ${run_id}`;
const keyOf = (of: Awaited): string => (typeof of === 'string' ? of : runKey(of.run_id));

/** How many waiters are woken in one turn of the event loop: thousands may wait, and each queries again. */
const wokenPerTurn = 128;

const wakeInTurns = async (woken: ReadonlySet<() => void>): Promise<void> => {
  for (const [index, resolve] of [...woken].entries()) {
    // oxlint-disable-next-line no-await-in-loop -- the pause is what it is for
    if (index % wokenPerTurn === 0) await setImmediate();
    resolve();
  }
};

export const createRowChanges = (): RowChanges => {
  const waiting = new Map<string, Set<() => void>>();
  let ended = false;
  const wake = (key: string): void => {
    const woken = waiting.get(key);
    waiting.delete(key);
    if (woken !== undefined) void wakeInTurns(woken);
  };
  const wakeAll = (): void => [...waiting.keys()].forEach(wake);
  return {
    next: (of) => {
      if (ended) return null;
      const key = keyOf(of);
      let resolve: () => void = constVoid;
      const happened = new Promise<void>((resolved) => {
        resolve = resolved;
      });
      const others = waiting.get(key) ?? new Set();
      waiting.set(key, others.add(resolve));
      return {
        happened,
        cancel: () => {
          others.delete(resolve);
          if (others.size === 0 && waiting.get(key) === others) waiting.delete(key);
        },
      };
    },
    changed: ({ runs, videos, audios }) => {
      runs.map(runKey).forEach(wake);
      if (runs.length > 0) wake(keyOf('match_runs'));
      if (videos) wake(keyOf('videos'));
      if (audios) wake(keyOf('audios'));
    },
    allChanged: wakeAll,
    end: () => {
      ended = true;
      wakeAll();
    },
  };
};

type Answer = E.Either<ReadModelBehind, void>;

/** Those that wait for the read models to reach a position. */
interface Waiters {
  readonly wait: (wanted: Position, timeout_ms: number) => Promise<Answer>;
  /** Answers those whose position is reached. */
  readonly wake: () => void;
  /** No further position will be reached: answers all waiters, including later ones. */
  readonly end: () => void;
}

interface Waiter {
  readonly wanted: Position;
  readonly answer: (answer: Answer) => void;
}

export const createWaiters = (reached: () => Position | null): Waiters => {
  const waiting = new Set<Waiter>();
  let ended = false;
  const behind = (wanted: Position): Answer => E.left({ _tag: 'ReadModelBehind', wanted, reached: reached() });
  const isReached = (wanted: Position): boolean => (reached() ?? '') >= wanted;
  return {
    wait: (wanted, timeout_ms) =>
      new Promise((resolve) => {
        if (isReached(wanted)) return resolve(E.right(undefined));
        if (ended) return resolve(behind(wanted));
        const timer = setTimeout(() => waiter.answer(behind(wanted)), timeout_ms);
        const waiter: Waiter = {
          wanted,
          answer: (answer) => {
            clearTimeout(timer);
            waiting.delete(waiter);
            resolve(answer);
          },
        };
        waiting.add(waiter);
      }),
    wake: () =>
      waiting.forEach(({ wanted, answer }) => {
        if (isReached(wanted)) answer(E.right(undefined));
      }),
    end: () => {
      ended = true;
      waiting.forEach(({ wanted, answer }) => answer(isReached(wanted) ? E.right(undefined) : behind(wanted)));
    },
  };
};
