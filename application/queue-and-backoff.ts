import type { Task } from 'fp-ts/lib/Task.js';

/** Exponential backoff: the pauses between retries, in milliseconds. */
export interface Backoff {
  /** The next pause: twice the previous one, up to the maximum. */
  readonly next: () => number;
  /** To be called after a success: the next pause is the shortest again. */
  readonly reset: () => void;
}

export const backoff = (min: number, max: number): Backoff => {
  let pause = min;
  return {
    next: () => {
      const now = pause;
      pause = Math.min(2 * pause, max);
      return now;
    },
    reset: () => {
      pause = min;
    },
  };
};

/** Runs tasks with the same key one at a time, in order; tasks with different keys run concurrently. */
export interface KeyedQueue {
  readonly run: <A>(key: string, task: Task<A>) => Task<A>;
  /** Resolves when all tasks that were running or queued at the call have ended. */
  readonly idle: Task<void>;
}

export const keyedQueue = (): KeyedQueue => {
  const last = new Map<string, Promise<unknown>>();
  return {
    run: (key, task) => () => {
      const before = last.get(key) ?? Promise.resolve();
      const running = before.then(task, task);
      last.set(key, running);
      const leave = () => {
        if (last.get(key) === running) last.delete(key);
      };
      running.then(leave, leave);
      return running;
    },
    idle: async () => {
      await Promise.allSettled(last.values());
    },
  };
};
