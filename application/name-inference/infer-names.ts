import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { RunId } from '../../domain/kernel/ids.js';
import type { Application } from '../application.js';
import type { Failure, RevisionChanged } from '../failures.js';
import { checkRevision } from '../handle-command.js';
import { newId } from '../new-id.js';
import type { RequestContext } from '../request-context.js';
import { admitSpending } from '../use-cases/spend-credits.js';
import { checkedInquiry } from './inquiry.js';
import type { NameInference } from './name-inference.js';
import type { InferenceRefusal, InferredNames, NameRequest } from './name-request.js';
import { runInference } from './run-inference.js';

/** A committing run writes to the audio, on the condition of the revision that the request names. */
const checkedCondition = (
  app: Application,
  { if_match }: RequestContext,
  { audio, mode }: NameRequest,
): TE.TaskEither<RevisionChanged | Failure, void> =>
  mode === 'suggest'
    ? TE.right(undefined)
    : pipe(
        app.audios.load(audio.audio_id),
        TE.chainW(({ revision }) => TE.fromEither(checkRevision(if_match, revision))),
      );

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
    checkedCondition(app, request, asked),
    TE.chainW(() => checkedInquiry(app, asked.audio, asked.target_speaker_ids)),
    TE.chainW(() => admitSpending(app, request, request.caller.account_id)),
    TE.chainW(() => claim(run_id)),
    TE.chainW(() => inference.running.start(run_id, runInference(app, inference, request, run_id, asked))),
  );
};
