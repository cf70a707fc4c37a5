import type { Worker } from 'node:worker_threads';

/** The threads that this process starts from now on, and how to end them as a fault would: at once, unasked. */
export interface Threads {
  /** Ends those that run; resolves once they have ended, with how many. */
  readonly kill: () => Promise<number>;
  /** From now on each thread is ended as soon as it is started, until the answered function is called. */
  readonly forbid: () => () => void;
  /** From now on each message of a thread is told as this makes it, until the answered function is called. */
  readonly distort: (change: (message: unknown) => unknown) => () => void;
  readonly forget: () => void;
}

export const watchThreads = (): Threads => {
  const running = new Set<Worker>();
  let forbidden = false;
  const asIs = (message: unknown): unknown => message;
  let change = asIs;
  const started = (worker: Worker): void => {
    running.add(worker);
    const emit = worker.emit.bind(worker);
    worker.emit = (event: string, ...given: unknown[]) =>
      event === 'message' ? emit(event, ...given.map((message) => change(message))) : emit(event, ...given);
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
    distort: (made) => {
      change = made;
      return () => {
        change = asIs;
      };
    },
    forget: () => void process.off('worker', started),
  };
};
