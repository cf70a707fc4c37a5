import type { Tagged } from '../../domain/kernel/decider.js';
import { type Credits, add, priceOf } from '../../domain/kernel/credits.js';
import type { Grounder, NameModel, NameModelFailed, NameQuestion } from '../ports/name-model.js';
import type { RegisteredAudio } from '../../domain/audio/state.js';
import type { AdmissionRefusal, CreditAccountRefusal } from '../../domain/credit-account/contract.js';
import type { ResultRow } from '../../domain/grounding/result-row.js';
import type { RunId, SpeakerId } from '../../domain/kernel/ids.js';
import type { InferenceMode } from '../../domain/name-inference/contract.js';
import { type InquiryFacts, type InquiryRefusal, checkInquiry } from '../../domain/name-inference/eligibility.js';
import type { Failure, RevisionChanged } from '../failures.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as E from 'fp-ts/lib/Either.js';
import { creditAccount } from '../../domain/credit-account/decider.js';
import type { Uses } from '../application.js';
import { transcriptOf } from '../evidence/evidence.js';
import type { RequestContext } from '../commands/context.js';
import type { KeyedQueue } from '../queue-and-backoff.js';

/** Checks that names may be inferred for these speakers. */
export const checkInferable = (
  app: Uses<'videos'>,
  { video_id, status, kind, speakers, transcript, provider_supplied, replaced_by, speech_segments }: RegisteredAudio,
  target_speaker_ids: ReadonlyArray<SpeakerId>,
): TE.TaskEither<InquiryRefusal | Failure, void> =>
  pipe(
    video_id === null
      ? TE.right<Failure, InquiryFacts['parent']>(null)
      : pipe(
          app.videos.load(video_id),
          TE.map(({ state }) => (state._tag === 'Registered' ? { kind: state.kind } : 'missing')),
        ),
    TE.chainEitherKW((parent) =>
      checkInquiry(
        {
          status,
          kind,
          speakers,
          transcript_available: transcript !== null,
          provider_supplied,
          transcript_replaced: replaced_by !== null,
          speech_segments,
          parent,
        },
        target_speaker_ids,
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
  { audio, target_speaker_ids, infer_roles }: NameRequest,
): TE.TaskEither<Failure, EstimatedRun> =>
  pipe(
    transcriptOf(app, audio),
    TE.map((transcript) => {
      const question = {
        transcript,
        speakers: [...audio.speakers.values()].map(({ speaker_id, name }) => ({ speaker_id, name })),
        target_speaker_ids: [...new Set(target_speaker_ids)],
        infer_roles,
      };
      const { least, most } = inference.model.estimate(question);
      return { question, least: costOf(inference, least), most: costOf(inference, most) };
    }),
  );

/** Estimates the cost of a run. Free of charge: calls no model and writes nothing. */
export const estimateCost = (
  app: Uses<'creditAccounts' | 'store' | 'videos'>,
  inference: NameInference,
  request: RequestContext,
  asked: NameRequest,
): TE.TaskEither<InquiryRefusal | Failure, CostEstimate> =>
  pipe(
    checkInferable(app, asked.audio, asked.target_speaker_ids),
    TE.chainW(() => estimatedRun(app, inference, asked)),
    TE.bindTo('run'),
    TE.bindW('account', () => app.creditAccounts.load(request.caller.account_id)),
    TE.map(({ run: { least, most }, account: { state } }) => {
      const admission = { amount: most, max_credits: asked.max_credits, at: request.at };
      const decision = creditAccount.decide({ type: 'AdmitSpending', ...admission }, state);
      return { least, most, balance: state.balance, refusal: E.isLeft(decision) ? decision.left : null };
    }),
  );

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
export type RunTakenOver = Tagged<'RunTakenOver', { run_id: RunId }>;

export type InferenceRefusal =
  | InquiryRefusal
  | AdmissionRefusal
  | NameModelFailed
  | RunTakenOver
  | RevisionChanged
  | Failure;

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
  /** The running inferences of this instance, by run. */
  readonly running: KeyedQueue;
}

const tokensPerPrice = 1_000;

/** The cost of a run: the base price and the price of its tokens. */
export const costOf = ({ price }: Pick<NameInference, 'price'>, total_tokens: number): Credits =>
  add(price.base, priceOf(price.per_1k_tokens, total_tokens, tokensPerPrice));
