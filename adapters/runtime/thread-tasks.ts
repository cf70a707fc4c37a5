import { types } from 'node:util';
import { parentPort } from 'node:worker_threads';
import { forgetLastMatch } from './last-match.js';
import type { ThreadAnswer } from './thread-pool.js';

/** The work of a thread. */
interface ThreadScript<Task, Result> {
  readonly work: (task: Task) => Result | Promise<Result>;
  /** Buffers of a result that are moved instead of copied. */
  readonly transferOf?: (result: Result) => ReadonlyArray<ArrayBuffer>;
}

/** The thrown error in a form that can be posted to another thread; objects that only resemble errors cannot. */
const errorOf = (cause: unknown): Error =>
  types.isNativeError(cause) ? cause : new Error(cause instanceof Error ? cause.message : String(cause));

/** Runs the tasks that a `threadPool` gives to this thread, one after the other. Does nothing outside of a thread. */
export const serveTasks = <Task, Result>({ work, transferOf = () => [] }: ThreadScript<Task, Result>): void => {
  const port = parentPort;
  const serve = async (task: Task): Promise<void> => {
    try {
      const result = await work(task);
      const answer: ThreadAnswer<Result> = { ok: true, result };
      port?.postMessage(answer, [...transferOf(result)]);
    } catch (cause) {
      const answer: ThreadAnswer<Result> = { ok: false, error: errorOf(cause) };
      port?.postMessage(answer, []);
    } finally {
      forgetLastMatch();
    }
  };
  port?.on('message', (task: Task) => void serve(task));
};
