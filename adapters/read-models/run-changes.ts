import { constVoid } from 'fp-ts/lib/function.js';
import { nextTurn } from '../runtime/turns.js';
import type { Change } from '../../projections/queries.js';

/** Tells those who wait for match runs of their changes. */
export interface RunChanges {
  /** The next change of a run, or of any when null; null once the read models are closed. */
  readonly next: (run_id: string | null) => Change | null;
  /** Whether somebody waits for a change of this run, or of any. */
  readonly isAwaited: (run_id: string) => boolean;
  readonly changed: (run_ids: ReadonlyArray<string>) => void;
  /** The rows are others: every run may have changed. */
  readonly allChanged: () => void;
  /** Nothing will change any more. */
  readonly end: () => void;
}

const anyRun = '';
/** So many who wait are woken in one turn of the event loop. */
const wokenAtOnce = 128;

/** A few at a time: thousands may wait, and each asks again. */
const wakeInTurns = async (woken: ReadonlySet<() => void>): Promise<void> => {
  let left = 0;
  for (const resolve of woken) {
    // oxlint-disable-next-line no-await-in-loop -- the pause is what it is for
    if (left === 0) await nextTurn();
    left = (left + 1) % wokenAtOnce;
    resolve();
  }
};

export const createRunChanges = (): RunChanges => {
  const waiting = new Map<string, Set<() => void>>();
  let ended = false;
  const wake = (key: string): void => {
    const woken = waiting.get(key);
    waiting.delete(key);
    if (woken !== undefined) void wakeInTurns(woken);
  };
  const wakeAll = (): void => [...waiting.keys()].forEach(wake);
  return {
    next: (run_id) => {
      if (ended) return null;
      const key = run_id ?? anyRun;
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
    isAwaited: (run_id) => waiting.has(run_id) || waiting.has(anyRun),
    changed: (run_ids) => {
      if (run_ids.length === 0) return;
      run_ids.forEach(wake);
      wake(anyRun);
    },
    allChanged: wakeAll,
    end: () => {
      ended = true;
      wakeAll();
    },
  };
};
