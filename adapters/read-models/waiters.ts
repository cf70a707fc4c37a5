import { constVoid } from 'fp-ts/lib/function.js';
import type { Change } from '../../projections/queries.js';

/** What a commit changed of the rows that can be waited for. */
export interface Changes {
  /** The ids of match runs. */
  readonly runs: ReadonlyArray<string>;
  readonly videos: boolean;
  readonly audios: boolean;
}

export const noChanges: Changes = { runs: [], videos: false, audios: false };

interface Waiter {
  readonly isMet: (changes: Changes) => boolean;
  readonly resolve: () => void;
}

/** Those that wait for something that a commit brings about. */
export const createWaiters = () => {
  const waiting = new Set<Waiter>();
  let ended = false;
  const wake = (isMet: (waiter: Waiter) => boolean): void =>
    waiting.forEach((waiter) => {
      if (isMet(waiter)) waiter.resolve();
    });
  return {
    /** Waits for a commit that meets the condition; null once there will be none. */
    wait: (isMet: Waiter['isMet']): Change | null => {
      if (ended) return null;
      let cancel = constVoid;
      const happened = new Promise<void>((resolve) => {
        const waiter: Waiter = { isMet, resolve: () => (cancel(), resolve()) };
        cancel = () => void waiting.delete(waiter);
        waiting.add(waiter);
      });
      return { happened, cancel };
    },
    committed: (changes: Changes): void => wake(({ isMet }) => isMet(changes)),
    /** The rows were replaced: all may have changed. */
    wakeAll: (): void => wake(() => true),
    /** There will be no further commit. */
    end: (): void => {
      ended = true;
      wake(() => true);
    },
  };
};
