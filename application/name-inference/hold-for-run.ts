import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { AdmissionRefusal, HoldCredits } from '../../domain/credit-account/contract.js';
import type { RunId } from '../../domain/kernel/ids.js';
import { secondsAfter } from '../../domain/kernel/timestamp.js';
import type { Uses } from '../application.js';
import { type Failure, type RevisionChanged, isFailure } from '../failures.js';
import type { RequestContext } from '../commands/context.js';
import { holdCredits, releaseHold } from '../use-cases/credits/spend-credits.js';
import type { NameInference } from './name-inference.js';

/** Added to the model's time limit: then the hold of an interrupted run lapses. */
const lapse_seconds = 60;

/** Admits a run and holds its maximum cost until it is charged, fails or lapses. */
export const holdForRun = (
  app: Uses<'clock' | 'perform'>,
  { timeout_seconds }: NameInference,
  request: RequestContext,
  run_id: RunId,
  admission: Pick<HoldCredits, 'amount' | 'max_credits'>,
): TE.TaskEither<AdmissionRefusal | RevisionChanged | Failure, void> => {
  const at = app.clock.now();
  return holdCredits(app, request, request.caller.account_id, {
    hold_id: run_id,
    ...admission,
    lapses_at: secondsAfter(at, timeout_seconds + lapse_seconds),
    run_id,
    session_id: null,
    at,
  });
};

/** Releases the hold of a failed run. If the store is unavailable, the hold lapses later. */
export const releaseForRun = (
  app: Uses<'clock' | 'log' | 'perform'>,
  request: RequestContext,
  run_id: RunId,
): TE.TaskEither<never, void> =>
  pipe(
    releaseHold(app, request, request.caller.account_id, run_id),
    TE.orElse((refusal) => {
      const failure = isFailure(refusal) ? refusal._tag : 'refused';
      app.log.warn('a credit hold could not be released and will lapse', {
        request_id: request.request_id,
        run_id,
        failure,
      });
      return TE.right<never, void>(undefined);
    }),
  );
