import { parentPort } from 'node:worker_threads';

/** What a thread answers to a task. */
export type ThreadAnswer<Result> =
  | { readonly ok: true; readonly result: Result }
  | { readonly ok: false; readonly error: Error };

const nothing: ReadonlyArray<ArrayBuffer> = [];

/**
 * Does the tasks that a `threadPool` gives to this thread, one after the other. `transferOf`: memory of a result that is
 * handed over instead of copied. Does nothing outside of a thread.
 */
export const serveTasks = <Task, Result>(
  work: (task: Task) => Result | Promise<Result>,
  transferOf: (result: Result) => ReadonlyArray<ArrayBuffer> = () => nothing,
): void => {
  const port = parentPort;
  port?.on('message', async (task: Task) => {
    const answer = (given: ThreadAnswer<Result>, transfer = nothing): void => port.postMessage(given, [...transfer]);
    try {
      const result = await work(task);
      answer({ ok: true, result }, transferOf(result));
    } catch (error) {
      answer({ ok: false, error: error instanceof Error ? error : new Error(String(error)) });
    }
  });
};
