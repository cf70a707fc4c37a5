import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { type Failure, type RevisionChanged, narrowRefusal } from '../../failures.js';
import {
  type AdmissionRefusal,
  type HoldCredits,
  type CreditAccountRefusal,
  type PeriodSeconds,
  isAdmissionRefusal,
  isCreditAccountRefusal,
} from '../../../domain/credit-account/contract.js';
import { type Credits, zeroCredits } from '../../../domain/kernel/credits.js';
import type { AccountId, HoldId } from '../../../domain/kernel/ids.js';
import type { Uses } from '../../application.js';
import type { RequestContext } from '../../commands/context.js';

type Refused<Tag extends CreditAccountRefusal['_tag']> =
  | Extract<CreditAccountRefusal, { readonly _tag: Tag }>
  | RevisionChanged
  | Failure;

/** POST /v1/accounts/{account_id}/credits. A negative amount is a correction. Returns the new balance. */
export const bookCredits = (
  app: Uses<'perform'>,
  request: RequestContext,
  account_id: AccountId,
  amount: Credits,
  reason: string,
): TE.TaskEither<Refused<'InvalidAmount' | 'BalanceOutOfRange'>, Credits> =>
  pipe(
    app.perform(request, 'creditAccounts', account_id, {
      type: amount < zeroCredits ? 'CorrectCredits' : 'GrantCredits',
      amount,
      reason,
      at: request.at,
    }),
    narrowRefusal(isCreditAccountRefusal('InvalidAmount', 'BalanceOutOfRange')),
    TE.map(({ state }) => state.balance),
  );

export interface WantedWindow {
  readonly limit: Credits;
  readonly period_seconds: PeriodSeconds;
}

/** PUT /v1/accounts/{account_id}/spending-window; null clears it. */
export const setSpendingWindow = (
  app: Uses<'perform'>,
  request: RequestContext,
  account_id: AccountId,
  wanted: WantedWindow | null,
): TE.TaskEither<Refused<'InvalidAmount'>, void> =>
  pipe(
    app.perform(
      request,
      'creditAccounts',
      account_id,
      wanted === null
        ? { type: 'ClearSpendingWindow', at: request.at }
        : { type: 'SetSpendingWindow', ...wanted, at: request.at },
    ),
    narrowRefusal(isCreditAccountRefusal('InvalidAmount')),
    TE.map(() => undefined),
  );

type Refusal = AdmissionRefusal | RevisionChanged | Failure;

/** Admits something that costs credits and holds its maximum cost, in one step and once per `hold_id`. */
export const holdCredits = (
  app: Uses<'perform'>,
  request: RequestContext,
  account_id: AccountId,
  hold: Omit<HoldCredits, 'type'>,
): TE.TaskEither<Refusal, void> =>
  pipe(
    app.perform({ ...request, at: hold.at, if_match: null }, 'creditAccounts', account_id, {
      type: 'HoldCredits',
      ...hold,
    }),
    narrowRefusal(isAdmissionRefusal),
    TE.map(() => undefined),
  );

/** Releases the hold of something that failed. */
export const releaseHold = (
  app: Uses<'clock' | 'perform'>,
  request: RequestContext,
  account_id: AccountId,
  hold_id: HoldId,
): TE.TaskEither<RevisionChanged | Failure, void> => {
  const at = app.clock.now();
  return pipe(
    app.perform({ ...request, at, if_match: null }, 'creditAccounts', account_id, { type: 'ReleaseHold', hold_id, at }),
    narrowRefusal(isCreditAccountRefusal<never>()),
    TE.map(() => undefined),
  );
};
