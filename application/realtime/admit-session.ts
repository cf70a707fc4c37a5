import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { CreditAccountRefusal } from '../../domain/credit-account/contract.js';
import { creditAccount } from '../../domain/credit-account/decider.js';
import { type Credits, priceOf } from '../../domain/kernel/credits.js';
import type { SessionId } from '../../domain/kernel/ids.js';
import type { Timestamp } from '../../domain/kernel/timestamp.js';
import type { Uses } from '../application.js';
import { type Failure, type RevisionChanged, isFailure } from '../failures.js';
import type { RequestContext } from '../commands/context.js';
import { holdCredits } from '../use-cases/credits/spend-credits.js';
import type { Realtime } from './realtime.js';

/** The account has not enough credit to start; `why` is its refusal. */
export interface NoCreditToStart {
  readonly _tag: 'NoCreditToStart';
  readonly why: CreditAccountRefusal;
}

const secondsPerPrice = 60;

/** The price of one metering interval, which a session holds. */
const intervalPrice = ({ price_per_minute, meter_seconds }: Realtime['settings']): Credits =>
  priceOf(price_per_minute, meter_seconds, secondsPerPrice);

/** Checks on the current account whether a session may start. */
export const admitSession = (
  app: Uses<'creditAccounts'>,
  { settings }: Realtime,
  { caller, at }: RequestContext,
): TE.TaskEither<NoCreditToStart | Failure, void> =>
  pipe(
    app.creditAccounts.load(caller.account_id),
    TE.chainEitherKW(({ state }) =>
      pipe(
        creditAccount.decide({ type: 'AdmitSpending', amount: intervalPrice(settings), max_credits: null, at }, state),
        E.bimap(
          (why): NoCreditToStart => ({ _tag: 'NoCreditToStart', why }),
          () => undefined,
        ),
      ),
    ),
  );

/** Holds the cost of one metering interval until the session ends, or until `lapses_at`. */
export const holdForSession = (
  app: Uses<'perform'>,
  { settings, timers }: Realtime,
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
    TE.mapLeft((why): NoCreditToStart | RevisionChanged | Failure =>
      isFailure(why) || why._tag === 'RevisionChanged' || why._tag === 'MediumErased'
        ? why
        : { _tag: 'NoCreditToStart', why },
    ),
  );
};
