import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { refusalOf } from '../../domain/kernel/erased.js';
import { RunId } from '../../domain/kernel/ids.js';
import type { Application, Uses } from '../application.js';
import { type Failure, type RevisionChanged, isFailure } from '../failures.js';
import { checkRevision } from '../commands/handle-command.js';
import { newId } from '../ports/ids.js';
import type { RequestContext } from '../commands/context.js';
import { admitSpending } from '../use-cases/credits/spend-credits.js';
import { type EstimatedRun, estimatedRun, checkedInquiry } from './estimate-cost.js';
import { holdForRun, releaseForRun } from './hold-for-run.js';
import type { NameInference } from './name-inference.js';
import type { InferenceRefusal, InferredNames, NameRequest } from './name-request.js';
import { type InferenceRun, runInference } from './run-inference.js';

/** Checks `If-Match`, also for suggestions: who names a revision wants no names, and no charge, for another one. */
export const checkedCondition = (
  app: Uses<'audios'>,
  { if_match }: Pick<RequestContext, 'if_match'>,
  { audio }: Pick<NameRequest, 'audio'>,
): TE.TaskEither<RevisionChanged | Failure, void> =>
  pipe(
    app.audios.load(audio.audio_id),
    TE.chainW(({ revision }) => TE.fromEither(checkRevision(if_match, revision))),
  );

/** Claims the idempotency key for a run, so that only one of several equal requests proceeds. */
export interface Claim<Refused> {
  /** Called after all checks; afterwards only the credit hold and the model can fail. */
  readonly take: (run_id: RunId) => TE.TaskEither<Refused, void>;
  /** Called if the hold was refused and the run has not started. */
  readonly giveBack: (run_id: RunId) => TE.TaskEither<Failure, unknown>;
}

/** For a request without an idempotency key. */
export const unclaimed: Claim<never> = { take: () => TE.right(undefined), giveBack: () => TE.right(undefined) };

/** Fails if the audio was erased meanwhile: the results of its runs can no longer be read. */
export const unlessErased = (app: Uses<'audios'>, { audio: { audio_id } }: NameRequest): TE.TaskEither<Failure, void> =>
  pipe(
    app.audios.load(audio_id),
    TE.chainW(({ state }) => (state._tag === 'Erased' ? TE.left(refusalOf(state)) : TE.right(undefined))),
  );

/** Runs the inference, and releases the held credits if there is no answer. */
const paidFor = (
  app: Uses<'audios' | 'clock' | 'log' | 'perform' | 'performWithReactions'>,
  inference: NameInference,
  request: RequestContext,
  run: InferenceRun,
): TE.TaskEither<InferenceRefusal, InferredNames> =>
  pipe(
    runInference(app, inference, request, run),
    TE.orElseFirstW((refusal) =>
      refusal._tag === 'NameModelFailed' || refusal._tag === 'RunTakenOver' || refusal._tag === 'MediumErased'
        ? releaseForRun(app, request, run.run_id)
        : TE.right(undefined),
    ),
    TE.orElseFirstW((refusal) =>
      refusal._tag === 'RunTakenOver' ? unlessErased(app, run.asked) : TE.right(undefined),
    ),
  );

/**
 * One billed run: checks, admission, hold, model, grounding, the run's event, charge. Admission is checked early, so that a
 * refusal costs nothing, and decided with the hold.
 */
export const inferNames = <Refused>(
  app: Application,
  inference: NameInference,
  request: RequestContext,
  asked: NameRequest,
  claim: Claim<Refused>,
): TE.TaskEither<InferenceRefusal | Refused, InferredNames> => {
  const run_id = newId(app.ids, RunId);
  const run = ({ question, most }: EstimatedRun): TE.TaskEither<InferenceRefusal, InferredNames> =>
    pipe(
      holdForRun(app, inference, request, run_id, { amount: most, max_credits: asked.max_credits }),
      TE.orElseFirstW((refusal) => (isFailure(refusal) ? TE.right(undefined) : claim.giveBack(run_id))),
      TE.chainW(() => paidFor(app, inference, request, { run_id, asked, question, held: most })),
    );
  return pipe(
    checkedCondition(app, request, asked),
    TE.chainW(() => checkedInquiry(app, asked.audio, asked.target_speaker_ids)),
    TE.chainW(() => estimatedRun(app, inference, asked)),
    TE.chainFirstW(({ most }) =>
      admitSpending(app, request, request.caller.account_id, { amount: most, max_credits: asked.max_credits }),
    ),
    TE.chainFirstW(() => claim.take(run_id)),
    TE.chainW((estimated) => inference.running.start(run_id, run(estimated))),
  );
};
