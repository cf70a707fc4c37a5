import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { Application } from '../../application/application.js';
import type { Failure, RevisionChanged } from '../../application/failures.js';
import type { RequestContext } from '../../application/commands/context.js';
import type { ChargeCredits, CreditAccountRefusal } from '../../domain/credit-account/contract.js';
import type { Credits } from '../../domain/kernel/credits.js';
import type { AccountId } from '../../domain/kernel/ids.js';

export interface Charged {
  /** Whether it was booked now; false if it had been booked before. */
  readonly booked: boolean;
  readonly balance: Credits;
}

/** Books a charge once for its id, however often this is called and on however many instances. */
export const chargeCredits = (
  app: Application,
  request: RequestContext,
  account_id: AccountId,
  charge: Omit<ChargeCredits, 'type' | 'at'>,
): TE.TaskEither<CreditAccountRefusal | RevisionChanged | Failure, Charged> => {
  const at = app.clock.now();
  return pipe(
    app.perform({ ...request, at, if_match: null }, 'creditAccounts', account_id, {
      type: 'ChargeCredits',
      ...charge,
      at,
    }),
    TE.map(({ state, recorded }) => ({ booked: recorded.length > 0, balance: state.balance })),
  );
};
