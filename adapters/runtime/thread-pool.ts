import { Worker } from 'node:worker_threads';
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { fieldPath } from '../../domain/kernel/field-path.js';
import { instanceCodec } from './instance-codec.js';
import { TooLate } from './deadline.js';

/** The answer of a thread to a task. */
export type ThreadAnswer<Result> =
  | { readonly ok: true; readonly result: Result }
  | { readonly ok: false; readonly error: Error };

const Answer: t.Type<ThreadAnswer<unknown>, unknown> = t.union([
  t.type({ ok: t.literal(true), result: t.unknown }),
  t.type({ ok: t.literal(false), error: instanceCodec('Error', Error) }),
]);

/** The result of a task. Left: what the thread threw, or how its answer is invalid. */
const resultOf = <Result>(codec: t.Type<Result, unknown>, message: unknown): E.Either<Error, Result> => {
  if (!Answer.is(message)) return E.left(new Error('the thread gave no answer'));
  if (!message.ok) return E.left(message.error);
  // Checking a valid value takes a fraction of the time of finding out what is wrong with an invalid one.
  if (codec.is(message.result)) return E.right(message.result);
  const decoded = codec.decode(message.result);
  const [fault] = E.isLeft(decoded) ? decoded.left : [];
  return E.left(new Error(`the answer of the thread is invalid at ${fieldPath(fault?.context ?? []) || 'all'}`));
};

/** Threads that run the tasks of a script, which serves them with `serveTasks`. */
export interface ThreadPool<Task, Result> {
  /**
   * The result of a task, which may wait for a free thread. Buffers in `transfer` are moved and cannot be used
   * afterwards. Rejects with the script's error, the error that ended its thread, `TooLate`, or because the result is
   * invalid. Other tasks are not affected.
   */
  readonly run: (task: Task, transfer?: ReadonlyArray<ArrayBuffer>) => Promise<Result>;
  /** Ends the threads; running and waiting tasks are rejected. */
  readonly close: () => Promise<void>;
}

interface ThreadPoolOptions<Task, Result> {
  readonly script: URL;
  /** The codec of results. */
  readonly result: t.Type<Result, unknown>;
  /** The maximum number of threads; they start with the tasks and end when idle. */
  readonly threads: number;
  /** The time limit of a task in milliseconds, not counting the wait for a thread. */
  readonly timeoutMs: number;
  /** The memory limit of a thread. */
  readonly megabytes: number;
  /** Whether a task takes so much memory that its thread should end afterwards to free it. */
  readonly isLast?: (task: Task) => boolean;
}

interface Job<Task, Result> {
  readonly task: Task;
  readonly transfer: ReadonlyArray<ArrayBuffer>;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: Error) => void;
}

/** A thread, with one task or none. */
interface Thread<Task, Result> {
  readonly isFree: () => boolean;
  readonly give: (job: Job<Task, Result>) => void;
  /** Ends the thread and rejects its task with this reason; resolves once it has ended. */
  readonly end: (reason: Error) => Promise<unknown>;
}

/** Callbacks from a thread to its pool. */
interface Notices {
  readonly freed: () => void;
  readonly ended: () => void;
}

const idleTimeoutMs = 30_000;
const closing = 'the threads have ended';

const errorOf = (cause: unknown): Error => (cause instanceof Error ? cause : new Error(String(cause)));

const settle = <Result>({ resolve, reject }: Job<unknown, Result>, answer: E.Either<Error, Result>): void =>
  E.isRight(answer) ? resolve(answer.right) : reject(answer.left);

const startThread = <Task, Result>(
  { script, result, timeoutMs, megabytes, isLast = () => false }: ThreadPoolOptions<Task, Result>,
  { freed, ended }: Notices,
): Thread<Task, Result> => {
  const worker = new Worker(script, { resourceLimits: { maxOldGenerationSizeMb: megabytes } });
  let job: Job<Task, Result> | null = null;
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const end = (reason: Error): Promise<unknown> => {
    if (!isOver) {
      isOver = true;
      clearTimeout(timer);
      job?.reject(reason);
      ended();
    }
    return worker.terminate();
  };
  const endAfter = (ms: number, reason: string): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void end(new TooLate(reason)), ms).unref();
  };
  worker
    .on('message', (message: unknown) => {
      if (job !== null) settle(job, resultOf(result, message));
      const isDone = job !== null && isLast(job.task);
      job = null;
      if (isDone) return void end(new Error('it gives its memory back'));
      worker.unref();
      endAfter(idleTimeoutMs, 'it had nothing to do');
      freed();
    })
    .on('messageerror', (cause) => void end(errorOf(cause)))
    .on('error', (cause) => void end(errorOf(cause)))
    .on('exit', (code) => void end(new Error(`the thread ended with code ${code}`)));
  return {
    isFree: () => job === null,
    give: (next) => {
      job = next;
      worker.ref();
      endAfter(timeoutMs, `not done within ${timeoutMs} ms`);
      try {
        worker.postMessage(next.task, [...next.transfer]);
      } catch (cause) {
        void end(errorOf(cause));
      }
    },
    end,
  };
};

export const threadPool = <Task, Result>(options: ThreadPoolOptions<Task, Result>): ThreadPool<Task, Result> => {
  const running = new Set<Thread<Task, Result>>();
  let waiting: Job<Task, Result>[] = [];
  let closed = false;
  const start = (): Thread<Task, Result> => {
    const ended = (): void => {
      running.delete(thread);
      begin();
    };
    const thread = startThread<Task, Result>(options, { freed: () => begin(), ended });
    running.add(thread);
    return thread;
  };
  /** Assigns waiting tasks to free threads, starting threads as needed. */
  const begin = (): void => {
    const free = [...running].find(({ isFree }) => isFree());
    if (closed || (free === undefined && running.size >= options.threads)) return;
    const job = waiting.shift();
    if (job === undefined) return;
    try {
      (free ?? start()).give(job);
    } catch (cause) {
      job.reject(errorOf(cause));
    }
    begin();
  };
  return {
    run: (task, transfer = []) =>
      new Promise((resolve, reject) => {
        if (closed) return reject(new Error(closing));
        waiting.push({ task, transfer, resolve, reject });
        begin();
      }),
    close: async () => {
      closed = true;
      for (const { reject } of waiting) reject(new Error(closing));
      waiting = [];
      await Promise.all([...running].map(({ end }) => end(new Error(closing))));
    },
  };
};
