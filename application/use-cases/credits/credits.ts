import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { HoldCredits, PeriodSeconds } from '../../../domain/credit-account/contract.js';
import { heldAt, spentWithin } from '../../../domain/credit-account/state.js';
import { type Credits, creditsText, zeroCredits } from '../../../domain/kernel/credits.js';
import type { AccountId, HoldId } from '../../../domain/kernel/ids.js';
import type { Timestamp } from '../../../domain/kernel/timestamp.js';
import type { Uses } from '../../application.js';
import type { RequestContext } from '../../commands/context.js';

/** GET /v1/accounts/{account_id}/credits: the credits at a time. The revision is null until the account has an event. */
export const readCredits = (app: Uses<'creditAccounts'>, account_id: AccountId, at: Timestamp) =>
  pipe(
    app.creditAccounts.load(account_id),
    TE.map(({ state: { balance, holds, window, recent }, revision }) => ({
      balance,
      /** What calls under way hold. */
      held: heldAt(holds, at),
      window: window && { ...window, spent: creditsText(spentWithin(recent, window.period_seconds, at)) },
      revision: revision < 0 ? null : revision,
    })),
  );

/** POST /v1/accounts/{account_id}/credits. A negative amount is a correction. Returns the new balance. */
export const bookCredits = (
  app: Uses<'perform'>,
  request: RequestContext,
  account_id: AccountId,
  amount: Credits,
  reason: string,
) =>
  pipe(
    app.perform(request, 'creditAccounts', account_id, {
      type: amount < zeroCredits ? 'CorrectCredits' : 'GrantCredits',
      amount,
      reason,
      at: request.at,
    }),
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
) =>
  app.perform(
    request,
    'creditAccounts',
    account_id,
    wanted === null
      ? { type: 'ClearSpendingWindow', at: request.at }
      : { type: 'SetSpendingWindow', ...wanted, at: request.at },
  );

/** Admits something that costs credits and holds its maximum cost, in one step and once per `hold_id`. */
export const holdCredits = (
  app: Uses<'perform'>,
  request: RequestContext,
  account_id: AccountId,
  hold: Omit<HoldCredits, 'type'>,
) =>
  app.perform({ ...request, at: hold.at, if_match: null }, 'creditAccounts', account_id, {
    type: 'HoldCredits',
    ...hold,
  });

/** Releases the hold of something that failed. */
export const releaseHold = (
  app: Uses<'clock' | 'perform'>,
  request: RequestContext,
  account_id: AccountId,
  hold_id: HoldId,
) => {
  const at = app.clock.now();
  const released = { type: 'ReleaseHold', hold_id, at } as const;
  return app.perform({ ...request, at, if_match: null }, 'creditAccounts', account_id, released);
};
