import type { Task } from 'fp-ts/lib/Task.js';
import { type Credits, add, priceOf } from '../../domain/kernel/credits.js';
import type { Grounder, NameModel } from '../ports/name-model.js';

/** The running inferences of this instance. */
interface RunningInferences {
  /** The same run, counted while it runs. */
  readonly add: <Result>(run: Task<Result>) => Task<Result>;
  /** Resolves when all have ended. */
  readonly ended: () => Promise<void>;
}

export const runningInferences = (): RunningInferences => {
  const running = new Set<Promise<unknown>>();
  return {
    add: (run) => () => {
      const started = run();
      running.add(started);
      const forget = () => void running.delete(started);
      started.then(forget, forget);
      return started;
    },
    ended: async () => {
      await Promise.allSettled(running);
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
  readonly running: RunningInferences;
}

const tokensPerPrice = 1_000;

/** The cost of a run: the base price and the price of its tokens. */
export const costOf = ({ price }: Pick<NameInference, 'price'>, total_tokens: number): Credits =>
  add(price.base, priceOf(price.per_1k_tokens, total_tokens, tokensPerPrice));
