import type { Task } from 'fp-ts/lib/Task.js';

/** Tasks of one key run one after the other, in the order in which they came; tasks of other keys meanwhile. */
export interface KeyedQueue {
  readonly run: <A>(key: string, task: Task<A>) => Task<A>;
  /** Resolves once what was under way has ended. */
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
