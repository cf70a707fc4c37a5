import type { Credits } from '../../domain/kernel/credits.js';
import type { Grounder, NameModel } from '../ports/name-model.js';
import type { InferenceRefusal, InferredNames } from './name-request.js';
import type { RunningInferences } from './running.js';

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
