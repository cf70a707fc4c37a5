import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import { type Credits, add, priceOf } from '../../domain/kernel/credits.js';
import type { Grounder, NameModel } from '../ports/name-model.js';
import type { InferenceRefusal, InferredNames } from './name-request.js';
import type { RunId } from '../../domain/kernel/ids.js';

/** The running inferences of this instance, so that a repeated request can wait for the first. */
interface RunningInferences<Refused, Result> {
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

/** What name inference needs beside the application. */
export interface NameInference {
  readonly model: NameModel;
  readonly ground: Grounder;
  readonly price: {
    /** Credits for each call. */
    readonly base: Credits;
    readonly per_1k_tokens: Credits;
  };
  /** The time limit for a model's answer. */
  readonly timeout_seconds: number;
  readonly running: RunningInferences<InferenceRefusal, InferredNames>;
}

const tokensPerPrice = 1_000;

/** The cost of a run: the base price and the price of its tokens. */
export const costOf = ({ price }: Pick<NameInference, 'price'>, total_tokens: number): Credits =>
  add(price.base, priceOf(price.per_1k_tokens, total_tokens, tokensPerPrice));
