import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { type Failure, type RevisionChanged, narrowRefusal } from '../../failures.js';
import {
  type CreditAccountRefusal,
  type PeriodSeconds,
  isCreditAccountRefusal,
} from '../../../domain/credit-account/contract.js';
import { type Credits, zeroCredits } from '../../../domain/kernel/credits.js';
import type { AccountId } from '../../../domain/kernel/ids.js';
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
