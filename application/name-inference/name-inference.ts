import type { Task } from 'fp-ts/lib/Task.js';
import { type Credits, add, priceOf } from '../../domain/kernel/credits.js';
import type { Grounder, NameModel, NameModelFailed, NameQuestion } from '../ports/name-model.js';
import type { RegisteredAudio } from '../../domain/audio/state.js';
import type { AdmissionRefusal, CreditAccountRefusal } from '../../domain/credit-account/contract.js';
import type { ResultRow } from '../../domain/grounding/result-row.js';
import type { RunId, SpeakerId } from '../../domain/kernel/ids.js';
import type { InferenceMode } from '../../domain/name-inference/contract.js';
import { type InquiryRefusal, type InquiryFacts, checkInquiry } from '../../domain/name-inference/eligibility.js';
import type { Failure, RevisionChanged } from '../failures.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as E from 'fp-ts/lib/Either.js';
import { creditAccount } from '../../domain/credit-account/decider.js';
import type { Uses } from '../application.js';
import { transcriptOf } from '../evidence/parts.js';
import type { RequestContext } from '../commands/context.js';

const parentOf = (app: Uses<'videos'>, { video_id }: RegisteredAudio): TE.TaskEither<Failure, InquiryFacts['parent']> =>
  video_id === null
    ? TE.right(null)
    : pipe(
        app.videos.load(video_id),
        TE.map(({ state }) => (state._tag === 'Registered' ? { kind: state.kind } : 'missing')),
      );

/** Checks that names may be inferred for these speakers. */
export const checkedInquiry = (
  app: Uses<'videos'>,
  audio: RegisteredAudio,
  target_speaker_ids: ReadonlyArray<SpeakerId>,
): TE.TaskEither<InquiryRefusal | Failure, void> =>
  pipe(
    parentOf(app, audio),
    TE.chainW((parent) =>
      TE.fromEither(
        checkInquiry(
          {
            status: audio.status,
            kind: audio.kind,
            speakers: audio.speakers,
            transcript_available: audio.transcript !== null,
            provider_supplied: audio.provider_supplied,
            transcript_replaced: audio.replaced_by !== null,
            speech_segments: audio.speech_segments,
            parent,
          },
          target_speaker_ids,
        ),
      ),
    ),
  );

export interface CostEstimate {
  readonly least: Credits;
  /** No more is held, nor charged. */
  readonly most: Credits;
  readonly balance: Credits;
  /** Why a run would not be admitted now; null if it would. */
  readonly refusal: CreditAccountRefusal | null;
}

/** The question of a run, and the range of its cost. Calls no model. */
export interface EstimatedRun extends Pick<CostEstimate, 'least' | 'most'> {
  readonly question: NameQuestion;
}

export const estimatedRun = (
  app: Uses<'store'>,
  inference: NameInference,
  asked: NameRequest,
): TE.TaskEither<Failure, EstimatedRun> =>
  pipe(
    transcriptOf(app, asked.audio),
    TE.map((transcript) => questionOf(asked, transcript)),
    TE.bindTo('question'),
    TE.map((run) => ({ ...run, range: inference.model.estimate(run.question) })),
    TE.map(({ question, range: { least, most } }) => ({
      question,
      least: costOf(inference, least),
      most: costOf(inference, most),
    })),
  );

/** Estimates the cost of a run. Free of charge: calls no model and writes nothing. */
export const estimateCost = (
  app: Uses<'creditAccounts' | 'store' | 'videos'>,
  inference: NameInference,
  request: RequestContext,
  asked: NameRequest,
): TE.TaskEither<InquiryRefusal | Failure, CostEstimate> =>
  pipe(
    checkedInquiry(app, asked.audio, asked.target_speaker_ids),
    TE.chainW(() => estimatedRun(app, inference, asked)),
    TE.bindTo('run'),
    TE.bindW('account', () => app.creditAccounts.load(request.caller.account_id)),
    TE.map(({ run: { least, most }, account: { state } }) => {
      const admission = { amount: most, max_credits: asked.max_credits, at: request.at };
      const decision = creditAccount.decide({ type: 'AdmitSpending', ...admission }, state);
      return { least, most, balance: state.balance, refusal: E.isLeft(decision) ? decision.left : null };
    }),
  );

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

export const questionOf = (
  { audio, target_speaker_ids, infer_roles }: NameRequest,
  transcript: NameQuestion['transcript'],
): NameQuestion => ({
  transcript,
  speakers: [...audio.speakers.values()].map(({ speaker_id, name }) => ({ speaker_id, name })),
  target_speaker_ids: [...new Set(target_speaker_ids)],
  infer_roles,
});
