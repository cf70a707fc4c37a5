import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { creditAccount } from '../../domain/credit-account/decider.js';
import type { Credits } from '../../domain/kernel/credits.js';
import type { InquiryRefusal } from '../../domain/name-inference/eligibility.js';
import type { Uses } from '../application.js';
import { transcriptOf } from '../evidence/transcript.js';
import type { Failure } from '../failures.js';
import type { RequestContext } from '../commands/context.js';
import type { NameRequest } from './name-request.js';
import { checkedInquiry } from './inquiry.js';
import type { NameInference } from './name-inference.js';
import { costOf } from './cost.js';
import { questionOf } from './run-inference.js';

export interface CostEstimate {
  readonly least: Credits;
  readonly most: Credits;
  readonly balance: Credits;
  /** Whether the account would be admitted now. */
  readonly admitted: boolean;
}

/** Estimates the cost of a run. Free of charge: calls no model and writes nothing. */
export const estimateCost = (
  app: Uses<'creditAccounts' | 'yieldIfBusy' | 'store' | 'videos'>,
  inference: NameInference,
  request: RequestContext,
  asked: NameRequest,
): TE.TaskEither<InquiryRefusal | Failure, CostEstimate> =>
  pipe(
    checkedInquiry(app, asked.audio, asked.target_speaker_ids),
    TE.bindTo('checked'),
    TE.bindW('transcript', () => transcriptOf(app, asked.audio)),
    TE.bindW('range', ({ transcript }) =>
      TE.fromTask(() => inference.model.estimate(questionOf(asked, transcript), app.yieldIfBusy)),
    ),
    TE.bindW('account', () => app.creditAccounts.load(request.caller.account_id)),
    TE.map(({ range: { least, most }, account: { state } }) => ({
      least: costOf(inference, least),
      most: costOf(inference, most),
      balance: state.balance,
      admitted: E.isRight(creditAccount.decide({ type: 'AdmitSpending', at: request.at }, state)),
    })),
  );
