import type { Task } from 'fp-ts/lib/Task.js';

/** Runs tasks of one name one after the other, in the order in which they came; tasks of other names meanwhile. */
export const lineUp = (): (<A>(name: string, task: Task<A>) => Task<A>) => {
  const last = new Map<string, Promise<unknown>>();
  return (name, task) => () => {
    const before = last.get(name) ?? Promise.resolve();
    const running = before.then(task, task);
    last.set(name, running);
    const leave = () => {
      if (last.get(name) === running) last.delete(name);
    };
    running.then(leave, leave);
    return running;
  };
};
