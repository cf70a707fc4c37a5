import type { Task } from 'fp-ts/lib/Task.js';
import { type Credits, add, priceOf } from '../../domain/kernel/credits.js';
import type { Grounder, NameModel, NameModelFailed } from '../ports/name-model.js';
import type { RegisteredAudio } from '../../domain/audio/state.js';
import type { AdmissionRefusal } from '../../domain/credit-account/contract.js';
import type { ResultRow } from '../../domain/grounding/result-row.js';
import type { RunId, SpeakerId } from '../../domain/kernel/ids.js';
import type { InferenceMode } from '../../domain/name-inference/contract.js';
import type { InquiryRefusal } from '../../domain/name-inference/eligibility.js';
import type { Failure, RevisionChanged } from '../failures.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';

/** A name model that remembers whether its last answer could be used. */
export const watchedModel = <Model extends NameModel>(model: Model) => {
  let failing = false;
  return {
    model: {
      ...model,
      infer: (question) =>
        pipe(
          model.infer(question),
          TE.bimap(
            (failure) => {
              failing = true;
              return failure;
            },
            (answer) => {
              failing = false;
              return answer;
            },
          ),
        ),
    } satisfies NameModel,
    isFailing: (): boolean => failing,
  };
};

export interface NameRequest {
  readonly audio: RegisteredAudio;
  readonly mode: InferenceMode;
  readonly target_speaker_ids: ReadonlyArray<SpeakerId>;
  readonly infer_roles: boolean;
  /** The most that the caller wants to pay; null: whatever it costs. */
  readonly max_credits: Credits | null;
}

export interface InferredNames {
  readonly run_id: RunId;
  readonly model: string;
  readonly results: ReadonlyArray<ResultRow>;
  /** Whether this is the answer of an earlier request with the same key. */
  readonly replayed: boolean;
}

/** The run was given up and not billed: a repetition with its key took over. */
export interface RunTakenOver {
  readonly _tag: 'RunTakenOver';
  readonly run_id: RunId;
}

export type InferenceRefusal =
  | InquiryRefusal
  | AdmissionRefusal
  | NameModelFailed
  | RunTakenOver
  | RevisionChanged
  | Failure;

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
