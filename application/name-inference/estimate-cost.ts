import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { CreditAccountRefusal } from '../../domain/credit-account/contract.js';
import { creditAccount } from '../../domain/credit-account/decider.js';
import type { Credits } from '../../domain/kernel/credits.js';
import { type InquiryRefusal, type InquiryFacts, checkInquiry } from '../../domain/name-inference/eligibility.js';
import type { Uses } from '../application.js';
import { transcriptOf } from '../evidence/transcript.js';
import type { Failure } from '../failures.js';
import type { NameQuestion } from '../ports/name-model.js';
import type { RequestContext } from '../commands/context.js';
import { type NameRequest, type NameInference, costOf } from './name-inference.js';
import { questionOf } from './run-inference.js';
import type { RegisteredAudio } from '../../domain/audio/state.js';
import type { SpeakerId } from '../../domain/kernel/ids.js';

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
