import { Worker } from 'node:worker_threads';
import { TooLate } from './deadline.js';
import type { ThreadAnswer } from './thread-tasks.js';

/** Threads that do the tasks of a script, which serves them with `serveTasks`. */
export interface ThreadPool<Task, Result> {
  /**
   * What the script makes of a task, which waits for its turn. Memory in `transfer` is handed over and cannot be used
   * afterwards. Rejects with what the script threw, with what its thread died of, or with `TooLate`. That costs no other
   * task anything: the next one has a new thread.
   */
  readonly run: (task: Task, transfer?: ReadonlyArray<ArrayBuffer>) => Promise<Result>;
  /** Ends the threads; what is under way or waits is broken off. */
  readonly close: () => Promise<void>;
}

interface ThreadPoolOptions {
  readonly script: URL;
  /** So many at most; they start with the tasks, and end when they are idle. */
  readonly threads: number;
  /** What one task may take, without the wait for its turn, in milliseconds. */
  readonly longest: number;
  /** What a thread may hold. */
  readonly megabytes: number;
}

interface Job<Task, Result> {
  readonly task: Task;
  readonly transfer: ReadonlyArray<ArrayBuffer>;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: Error) => void;
}

interface Thread<Task, Result> {
  readonly worker: Worker;
  job: Job<Task, Result> | null;
  /** Ends it when its task takes too long, or when it has none for a while. */
  timer: NodeJS.Timeout | undefined;
}

const longestIdle = 30_000;

const errorOf = (cause: unknown): Error => (cause instanceof Error ? cause : new Error(String(cause)));

export const threadPool = <Task, Result>(options: ThreadPoolOptions): ThreadPool<Task, Result> => {
  const { script, threads, longest, megabytes } = options;
  const running = new Set<Thread<Task, Result>>();
  let waiting: Job<Task, Result>[] = [];
  let closed = false;

  const end = (thread: Thread<Task, Result>, reason: Error): void => {
    if (!running.delete(thread)) return;
    clearTimeout(thread.timer);
    void thread.worker.terminate();
    thread.job?.reject(reason);
    begin();
  };

  const endAfter = (thread: Thread<Task, Result>, ms: number, reason: string): void => {
    clearTimeout(thread.timer);
    thread.timer = setTimeout(() => end(thread, new TooLate(reason)), ms).unref();
  };

  const answered = (thread: Thread<Task, Result>, answer: ThreadAnswer<Result>): void => {
    if (answer.ok) thread.job?.resolve(answer.result);
    else thread.job?.reject(answer.error);
    thread.job = null;
    thread.worker.unref();
    endAfter(thread, longestIdle, 'nothing to do');
    begin();
  };

  const start = (): Thread<Task, Result> => {
    const worker = new Worker(script, { resourceLimits: { maxOldGenerationSizeMb: megabytes } });
    const thread: Thread<Task, Result> = { worker, job: null, timer: undefined };
    worker
      .on('message', (answer: ThreadAnswer<Result>) => answered(thread, answer))
      .on('messageerror', (cause) => end(thread, errorOf(cause)))
      .on('error', (cause) => end(thread, errorOf(cause)))
      .on('exit', (code) => end(thread, new Error(`the thread ended with code ${code}`)));
    running.add(thread);
    return thread;
  };

  /** Gives the tasks that wait to threads that have none, as long as there are both. */
  const begin = (): void => {
    const idle = [...running].find(({ job }) => job === null);
    if (closed || (idle === undefined && running.size >= threads)) return;
    const job = waiting.shift();
    if (job === undefined) return;
    give(job, idle ?? null);
    begin();
  };

  /** A thread that cannot be started, or a task that cannot be sent, is that task's failure alone. */
  const give = (job: Job<Task, Result>, idle: Thread<Task, Result> | null): void => {
    let thread = idle;
    try {
      thread ??= start();
      thread.job = job;
      thread.worker.ref();
      endAfter(thread, longest, `not done within ${longest} ms`);
      thread.worker.postMessage(job.task, [...job.transfer]);
    } catch (cause) {
      if (thread === null) job.reject(errorOf(cause));
      else end(thread, errorOf(cause));
    }
  };

  return {
    run: (task, transfer = []) =>
      new Promise((resolve, reject) => {
        if (closed) return reject(new Error('the threads have ended'));
        waiting.push({ task, transfer, resolve, reject });
        begin();
      }),
    close: async () => {
      closed = true;
      const left = waiting;
      waiting = [];
      for (const { reject } of left) reject(new Error('the threads have ended'));
      const workers = [...running].map(({ worker }) => worker);
      for (const thread of running) end(thread, new Error('the threads have ended'));
      await Promise.all(workers.map((worker) => worker.terminate()));
    },
  };
};
