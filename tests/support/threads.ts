import type { Worker } from 'node:worker_threads';

/** The threads that this process starts from now on, and how to end them as a fault would: at once, unasked. */
export interface Threads {
  /** Ends those that run; resolves once they have ended, with how many. */
  readonly kill: () => Promise<number>;
  /** From now on each thread is ended as soon as it is started, until the answered function is called. */
  readonly forbid: () => () => void;
  readonly forget: () => void;
}

export const watchThreads = (): Threads => {
  const running = new Set<Worker>();
  let forbidden = false;
  const started = (worker: Worker): void => {
    running.add(worker);
    worker.once('exit', () => running.delete(worker));
    if (forbidden) void worker.terminate();
  };
  process.on('worker', started);
  return {
    kill: async () => {
      const all = [...running];
      await Promise.all(all.map((worker) => worker.terminate()));
      return all.length;
    },
    forbid: () => {
      forbidden = true;
      return () => {
        forbidden = false;
      };
    },
    forget: () => void process.off('worker', started),
  };
};
