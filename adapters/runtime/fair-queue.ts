import type * as T from 'fp-ts/lib/Task.js';

/** Gives groups, such as accounts, their turns. */
export interface FairQueue {
  /** Waits for a turn. Returns what ends it. */
  readonly begin: (group: string, weight?: number) => Promise<() => void>;
  /** Runs work when its turn comes. */
  readonly run: <Result>(group: string, work: T.Task<Result>) => Promise<Result>;
}

interface Waiting {
  readonly weight: number;
  readonly begin: () => void;
}

/**
 * Gives turns to pieces of work that together weigh at most `most`, and begins at most one in a turn of the event loop, so that short
 * requests wait for one piece and not for all. The groups take turns: one with many pieces does not delay one with a
 * single.
 */
export const fairQueue = (most: number): FairQueue => {
  /** The first group in the map is the next one. */
  const waiting = new Map<string, Waiting[]>();
  let running = 0;
  let isScheduled = false;
  const beginNext = (): void => {
    isScheduled = false;
    const [first] = waiting;
    const next = first?.[1][0];
    if (first === undefined || next === undefined || (running > 0 && running + next.weight > most)) return;
    const [group, [, ...others]] = first;
    waiting.delete(group);
    if (others.length > 0) waiting.set(group, others);
    running += next.weight;
    next.begin();
    schedule();
  };
  const schedule = (): void => {
    if (isScheduled || waiting.size === 0) return;
    isScheduled = true;
    setImmediate(beginNext);
  };
  const begin: FairQueue['begin'] = async (group, weight = 1) => {
    await new Promise<void>((resolve) => {
      waiting.set(group, [...(waiting.get(group) ?? []), { weight, begin: resolve }]);
      schedule();
    });
    return () => {
      running -= weight;
      schedule();
    };
  };
  return {
    begin,
    run: async (group, work) => {
      const end = await begin(group);
      try {
        return await work();
      } finally {
        end();
      }
    },
  };
};
