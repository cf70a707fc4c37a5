import * as E from 'fp-ts/lib/Either.js';
import { constVoid } from 'fp-ts/lib/function.js';
import type { Position } from '../../domain/kernel/recorded-event.js';
import type { ReadModelBehind } from '../../projections/queries.js';
import { nextTurn } from '../runtime/turns.js';
import { type RunChanges, createRunChanges } from './run-changes.js';

type Answer = E.Either<ReadModelBehind, void>;

/** Who waits for the read models to reach a position. */
export interface Waiters {
  readonly wait: (wanted: Position, timeout_ms: number) => Promise<Answer>;
  /** Calls this, and nothing else, when somebody begins to wait. */
  readonly whenWanted: (hurry: () => void) => void;
  /** Whether somebody waits for this position or an earlier one. */
  readonly wants: (position: Position) => boolean;
  /** Those who wait for match runs. */
  readonly runs: RunChanges;
  /** Answers those whose position is reached, and tells those who wait for these match runs. */
  readonly wake: (changed_runs?: ReadonlyArray<string>) => void;
  /** Nothing more will be reached: answers all, also those to come. */
  readonly end: () => void;
}

interface Waiter {
  readonly wanted: Position;
  readonly answer: (answer: Answer | Promise<Answer>) => void;
}

/** What many waited for is often a list that takes long: each of them has a turn of its own. */
const inNextTurn = async (): Promise<Answer> => {
  await nextTurn();
  return E.right(undefined);
};

export const createWaiters = (reached: () => Position | null): Waiters => {
  const waiting = new Set<Waiter>();
  const runs = createRunChanges();
  let ended = false;
  let hurry: () => void = constVoid;
  const behind = (wanted: Position): Answer => E.left({ _tag: 'ReadModelBehind', wanted, reached: reached() });
  const isReached = (wanted: Position): boolean => (reached() ?? '') >= wanted;
  const wake: Waiters['wake'] = (changed_runs = []) => {
    const [first, ...others] = [...waiting].filter(({ wanted }) => isReached(wanted));
    first?.answer(E.right(undefined));
    for (const { answer } of others) answer(inNextTurn());
    runs.changed(changed_runs);
  };
  return {
    runs,
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
        hurry();
      }),
    whenWanted: (wanted) => void (hurry = wanted),
    wants: (position) => [...waiting].some(({ wanted }) => wanted <= position),
    wake,
    end: () => {
      ended = true;
      wake();
      waiting.forEach(({ wanted, answer }) => answer(behind(wanted)));
      runs.end();
    },
  };
};
