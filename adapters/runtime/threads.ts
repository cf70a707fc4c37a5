import { fileURLToPath } from 'node:url';
import * as E from 'fp-ts/lib/Either.js';
import type * as t from 'io-ts';
import { Piscina } from 'piscina';
import { fieldPath } from '../../domain/kernel/field-path.js';
import { TooLate } from './clock.js';
import { compiledScript } from './package-files.js';
import { type FairQueue, fairQueue } from './fair-queue.js';

/**
 * Short work shares some threads. Work that may take long or much memory has a thread of its own for each of these kinds,
 * which does one task at a time and ends after it to give its memory back.
 */
export type Lane = 'short' | 'large input' | 'large match' | 'long transcript';

const megabytesOf: Readonly<Record<Lane, number>> = {
  short: 192,
  'large input': 384,
  'large match': 2_048,
  'long transcript': 192,
};

/** Recognises results. */
type ResultCodec<Result> = Pick<t.Type<Result>, 'is'> & Pick<t.Decoder<unknown, Result>, 'decode'>;

/** Work of a thread. */
interface ThreadTask<Result> {
  /** The name of a function of the script. */
  readonly work: string;
  readonly lane: Lane;
  readonly input: unknown;
  readonly result: ResultCodec<Result>;
  /** The time limit in milliseconds, not counting the wait for a thread. */
  readonly timeoutMs: number;
  /** Memory that is moved instead of copied: it cannot be used afterwards. */
  readonly transfer?: ReadonlyArray<ArrayBuffer>;
}

/** The threads of the service. They start with the first task. */
export interface Threads {
  /**
   * The result of a task. Rejects with the error of the work, the error that ended its thread, `TooLate`, or because the
   * result is invalid. Other tasks are not affected.
   */
  readonly run: <Result>(task: ThreadTask<Result>) => Promise<Result>;
  /**
   * Ends all threads soon, so that nothing of earlier tasks stays in memory. Tasks that take longer are done again, or are
   * rejected if their memory was moved.
   */
  readonly renew: () => void;
  /** Ends the threads; running and waiting tasks are rejected. */
  readonly close: () => Promise<void>;
}

const shortThreads = 2;
const idleTimeoutMs = 30_000;
/** How long a task may still run in a thread that is to end. */
const renewAfterMs = 2_000;
/** How often a task is done again whose thread was ended. */
const maxRepetitions = 3;

/** A valid result is recognised in a fraction of the time that finding out what is wrong takes. */
const checked = <Result>(codec: ResultCodec<Result>, result: unknown): Result => {
  if (codec.is(result)) return result;
  const decoded = codec.decode(result);
  const [fault] = E.isLeft(decoded) ? decoded.left : [];
  throw new Error(`the answer of the thread is invalid at ${fieldPath(fault?.context ?? []) || 'all'}`);
};

const closing = 'the threads have ended';

/** Whether a thread needed more memory than it may have. */
export const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';

/** Runs the functions of a script in threads. */
export const startThreads = (
  script: URL = compiledScript('composition/pool-thread.js'),
  megabytes: Readonly<Record<Lane, number>> = megabytesOf,
): Threads => {
  const pools = new Map<Lane, Piscina>();
  const queues = new Map<Lane, FairQueue>();
  const renewed = new WeakSet<Piscina>();
  let isClosed = false;
  const end = async (lane: Lane, pool: Piscina): Promise<void> => {
    if (pools.get(lane) === pool) pools.delete(lane);
    await pool.destroy();
  };
  const poolOf = (lane: Lane): Piscina => {
    const pool = new Piscina({
      filename: fileURLToPath(script),
      // With none, a task whose thread has ended would wait for the next one to be submitted.
      minThreads: 1,
      maxThreads: lane === 'short' ? shortThreads : 1,
      idleTimeout: idleTimeoutMs,
      closeTimeout: renewAfterMs,
      resourceLimits: { maxOldGenerationSizeMb: megabytes[lane] },
      // Otherwise a waiting thread blocks, so that its memory can be neither collected nor inspected.
      atomics: 'disabled',
    });
    // A thread has ended that had no task, or a pool was not closed in time: the next task gets another thread.
    pool.on('error', () => undefined);
    // A task would wait for ever for a thread that could not start.
    pool.on('workerDestroy', () =>
      setImmediate(() => {
        if (pools.get(lane) === pool && pool.threads.length === 0) void end(lane, pool);
      }),
    );
    pools.set(lane, pool);
    return pool;
  };
  const runIn = async (pool: Piscina, task: ThreadTask<unknown>): Promise<unknown> => {
    const { work, input, lane, timeoutMs, transfer = [] } = task;
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      return await pool.run(input, { name: work, signal, transferList: [...transfer] });
    } catch (error) {
      throw signal.aborted ? new TooLate(`not done within ${timeoutMs} ms`) : error;
    } finally {
      if (lane !== 'short') await end(lane, pool);
    }
  };
  const run = async (task: ThreadTask<unknown>, repetitions = 0): Promise<unknown> => {
    if (isClosed) throw new Error(closing);
    const { transfer = [] } = task;
    const pool = pools.get(task.lane) ?? poolOf(task.lane);
    try {
      return await runIn(pool, task);
    } catch (error) {
      if (isClosed) throw new Error(closing, { cause: error });
      const isInterrupted = renewed.has(pool) && !(error instanceof TooLate);
      if (!isInterrupted || transfer.length > 0 || repetitions === maxRepetitions) throw error;
      return run(task, repetitions + 1);
    }
  };
  const queueOf = (lane: Lane): FairQueue => {
    const queue = queues.get(lane) ?? fairQueue(lane === 'short' ? shortThreads : 1);
    queues.set(lane, queue);
    return queue;
  };
  return {
    run: async (task) => checked(task.result, await queueOf(task.lane).run(task.work, () => run(task))),
    renew: () => {
      for (const pool of pools.values()) {
        renewed.add(pool);
        void pool.close();
      }
      pools.clear();
    },
    close: async () => {
      isClosed = true;
      await Promise.all([...pools].map(([lane, pool]) => end(lane, pool)));
    },
  };
};
