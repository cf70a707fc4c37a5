import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import type { RunId } from '../../domain/kernel/ids.js';

/** The runs that this instance is at work on, so that a repeated request can wait for the first. */
export interface RunningInferences<Refused, Result> {
  readonly start: (run_id: RunId, run: TaskEither<Refused, Result>) => TaskEither<Refused, Result>;
  /** Null when this instance is not at work on it. */
  /** Resolves once all of them have ended, whoever still waits for them. */
  readonly ended: () => Promise<void>;
  readonly find: (run_id: RunId) => TaskEither<Refused, Result> | null;
}

export const runningInferences = <Refused, Result>(): RunningInferences<Refused, Result> => {
  const running = new Map<RunId, ReturnType<TaskEither<Refused, Result>>>();
  return {
    start: (run_id, run) => () => {
      const started = run();
      running.set(run_id, started);
      const forget = () => void running.delete(run_id);
      started.then(forget, forget);
      return started;
    },
    ended: async () => {
      await Promise.allSettled(running.values());
    },
    find: (run_id) => {
      const started = running.get(run_id);
      return started === undefined ? null : () => started;
    },
  };
};
