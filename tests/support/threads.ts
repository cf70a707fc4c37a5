import type { Worker } from 'node:worker_threads';

/** The threads that this process starts from now on, with ways to end them abruptly, as a fault would. */
interface Threads {
  /** Ends all running threads; resolves to their number once they have ended. */
  readonly kill: () => Promise<number>;
  /** Ends each new thread at once, until the returned function is called. */
  readonly forbid: () => () => void;
  readonly stopWatching: () => void;
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
    stopWatching: () => void process.off('worker', started),
  };
};
