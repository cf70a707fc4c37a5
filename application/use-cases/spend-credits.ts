import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { CreditAccountRefusal, HoldCredits } from '../../domain/credit-account/contract.js';
import type { Credits } from '../../domain/kernel/credits.js';
import type { AccountId, HoldId } from '../../domain/kernel/ids.js';
import type { Application } from '../application.js';
import type { Failure, RevisionChanged } from '../failures.js';
import { perform } from '../perform.js';
import { type RequestContext, commandContext } from '../request-context.js';

type Refusal = CreditAccountRefusal | RevisionChanged | Failure;

/** Asks the account's stream, as it stands now, whether something that costs may begin; answers the balance. */
export const admitSpending = (
  app: Application,
  request: RequestContext,
  account_id: AccountId,
): TE.TaskEither<Refusal, Credits> =>
  pipe(
    app.creditAccounts.handle(account_id, { type: 'AdmitSpending', at: request.at }, commandContext(app.ids, request)),
    TE.map(({ state }) => state.balance),
  );

/** Admits something that costs and sets aside what it may cost at most, in one step, once for each `hold_id`. */
export const holdCredits = (
  app: Application,
  request: RequestContext,
  account_id: AccountId,
  hold: Omit<HoldCredits, 'type'>,
): TE.TaskEither<Refusal, void> =>
  pipe(
    perform(app, request)(
      app.creditAccounts,
      account_id,
      { type: 'HoldCredits', ...hold },
      commandContext(app.ids, { ...request, at: hold.at }),
    ),
    TE.map(() => undefined),
  );

/** Lets go of what was set aside for something that failed. */
export const releaseHold = (
  app: Application,
  request: RequestContext,
  account_id: AccountId,
  hold_id: HoldId,
): TE.TaskEither<Refusal, void> => {
  const at = app.clock.now();
  return pipe(
    perform(app, request)(
      app.creditAccounts,
      account_id,
      { type: 'ReleaseHold', hold_id, at },
      commandContext(app.ids, { ...request, at }),
    ),
    TE.map(() => undefined),
  );
};
