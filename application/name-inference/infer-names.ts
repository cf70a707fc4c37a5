import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { RunId } from '../../domain/kernel/ids.js';
import type { Application } from '../application.js';
import { newId } from '../new-id.js';
import type { RequestContext } from '../request-context.js';
import { admitSpending } from '../use-cases/spend-credits.js';
import { checkedInquiry } from './inquiry.js';
import type { NameInference } from './name-inference.js';
import type { InferenceRefusal, InferredNames, NameRequest } from './name-request.js';
import { runInference } from './run-inference.js';

/**
 * One billed run: checks, admission, the model, grounding, the run's own event, the charge. `claim` is asked in
 * between, once nothing but the model can fail, whether this run may go ahead.
 */
export const inferNames = <Refused>(
  app: Application,
  inference: NameInference,
  request: RequestContext,
  asked: NameRequest,
  claim: (run_id: RunId) => TE.TaskEither<Refused, void>,
): TE.TaskEither<InferenceRefusal | Refused, InferredNames> => {
  const run_id = newId(app.ids, RunId);
  return pipe(
    checkedInquiry(app, asked.audio, asked.target_speaker_ids),
    TE.chainW(() => admitSpending(app, request, request.caller.account_id)),
    TE.chainW(() => claim(run_id)),
    TE.chainW(() => inference.running.start(run_id, runInference(app, inference, request, run_id, asked))),
  );
};
