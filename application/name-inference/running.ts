import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import type { RunId } from '../../domain/kernel/ids.js';

/** The running inferences of this instance, so that a repeated request can wait for the first. */
export interface RunningInferences<Refused, Result> {
  readonly start: (run_id: RunId, run: TaskEither<Refused, Result>) => TaskEither<Refused, Result>;
  /** Resolves when all have ended. */
  readonly ended: () => Promise<void>;
  /** Null if this instance does not run it. */
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
