import * as E from 'fp-ts/lib/Either.js';
import type * as T from 'fp-ts/lib/Task.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { constVoid, pipe } from 'fp-ts/lib/function.js';
import type { CreditAccountRefusal } from '../../domain/credit-account/contract.js';
import { creditAccount } from '../../domain/credit-account/decider.js';
import type { Tagged } from '../../domain/kernel/decider.js';
import { type Credits, priceOf } from '../../domain/kernel/credits.js';
import type { AccountId, SessionId } from '../../domain/kernel/ids.js';
import { type Timestamp, secondsBetween } from '../../domain/kernel/timestamp.js';
import { type Failure, type RevisionChanged, isFailure } from '../failures.js';
import type { RequestContext } from '../commands/context.js';
import { holdCredits } from '../use-cases/credits/credits.js';
import type { Realtime } from './realtime.js';

/** What an account lacks for a session. `retry_after_seconds`: when its window has room again; null if that is unknown. */
export interface CreditShortage {
  readonly reason: 'balance' | 'window';
  readonly retry_after_seconds: number | null;
}

/** The account has not enough credit to start; `why` is its refusal. */
export type NoCreditToStart = Tagged<'NoCreditToStart', { why: CreditAccountRefusal; shortage: CreditShortage }>;

/** When to try again if other calls hold what is left of a window: they end at times of their own. */
const held_retry_seconds = 5;

const shortageOf = (why: CreditAccountRefusal, at: Timestamp): CreditShortage => {
  if (why._tag === 'WindowUsedUp') {
    const { opens_at } = why;
    const seconds = opens_at === null ? null : Math.max(1, Math.ceil(secondsBetween(at, opens_at)));
    return { reason: 'window', retry_after_seconds: seconds };
  }
  return why._tag === 'AllCreditsHeld' && why.of === 'window'
    ? { reason: 'window', retry_after_seconds: held_retry_seconds }
    : { reason: 'balance', retry_after_seconds: null };
};

const noCredit = (why: CreditAccountRefusal, at: Timestamp): NoCreditToStart => ({
  _tag: 'NoCreditToStart',
  why,
  shortage: shortageOf(why, at),
});

const secondsPerPrice = 60;

/** The price of one metering interval, which a session holds. */
const intervalPrice = ({ price_per_minute, meter_seconds }: Realtime['settings']): Credits =>
  priceOf(price_per_minute, meter_seconds, secondsPerPrice);

/** Checks on the current account whether a session may start. */
export const admitSession = (
  { app, settings }: Realtime,
  account_id: AccountId,
  at: Timestamp,
): TE.TaskEither<NoCreditToStart | Failure, void> =>
  pipe(
    app.creditAccounts.load(account_id),
    TE.chainEitherKW(({ state }) =>
      pipe(
        creditAccount.decide({ type: 'AdmitSpending', amount: intervalPrice(settings), max_credits: null, at }, state),
        E.bimap((why) => noCredit(why, at), constVoid),
      ),
    ),
  );

/** What an account lacks now for a session; null if it lacks nothing, or cannot be read. */
export const creditShortage = (realtime: Realtime, account_id: AccountId): T.Task<CreditShortage | null> =>
  pipe(
    admitSession(realtime, account_id, realtime.timers.now()),
    TE.match(
      (refusal) => (refusal._tag === 'NoCreditToStart' ? refusal.shortage : null),
      () => null,
    ),
  );

/** Holds the cost of one metering interval until the session ends, or until `lapses_at`. */
export const holdForSession = (
  { app, settings, timers }: Realtime,
  request: RequestContext,
  session_id: SessionId,
  lapses_at: Timestamp,
): TE.TaskEither<NoCreditToStart | RevisionChanged | Failure, void> => {
  const amount = intervalPrice(settings);
  const hold = {
    hold_id: session_id,
    amount,
    max_credits: null,
    run_id: null,
    session_id,
    lapses_at,
    at: timers.now(),
  };
  return pipe(
    holdCredits(app, request, request.caller.account_id, hold),
    TE.bimap(
      (why) =>
        isFailure(why) || why._tag === 'RevisionChanged' || why._tag === 'MediumErased' ? why : noCredit(why, hold.at),
      constVoid,
    ),
  );
};
