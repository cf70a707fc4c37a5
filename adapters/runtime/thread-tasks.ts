import { types } from 'node:util';
import { parentPort } from 'node:worker_threads';
import type { ThreadAnswer } from './thread-answer.js';

/** What a thread does. */
interface ThreadScript<Task, Result> {
  readonly work: (task: Task) => Result | Promise<Result>;
  /** Memory of a result that is handed over instead of copied. */
  readonly transferOf?: (result: Result) => ReadonlyArray<ArrayBuffer>;
}

/** What was thrown, as an error that arrives in another thread: one that only looks like an error does not. */
const errorOf = (cause: unknown): Error =>
  types.isNativeError(cause) ? cause : new Error(cause instanceof Error ? cause.message : String(cause));

/** Does the tasks that a `threadPool` gives to this thread, one after the other. Does nothing outside of a thread. */
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
    }
  };
  port?.on('message', (task: Task) => void serve(task));
};
