import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { CreditAccountRefusal } from '../../domain/credit-account/contract.js';
import { creditAccount } from '../../domain/credit-account/decider.js';
import type { Application } from '../application.js';
import type { Failure } from '../failures.js';
import type { RequestContext } from '../request-context.js';

/** There is not enough credit to start; `why` is the account's refusal. */
export interface NoCreditToStart {
  readonly _tag: 'NoCreditToStart';
  readonly why: CreditAccountRefusal;
}

/** Asks the account's stream, as it stands now, whether a session may begin. */
export const admitSession = (
  app: Application,
  { caller, at }: RequestContext,
): TE.TaskEither<NoCreditToStart | Failure, void> =>
  pipe(
    app.creditAccounts.load(caller.account_id),
    TE.chainEitherKW(({ state }) =>
      pipe(
        creditAccount.decide({ type: 'AdmitSpending', at }, state),
        E.bimap(
          (why): NoCreditToStart => ({ _tag: 'NoCreditToStart', why }),
          () => undefined,
        ),
      ),
    ),
  );
