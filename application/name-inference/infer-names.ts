import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { refusalOf } from '../../domain/kernel/erased.js';
import { RunId } from '../../domain/kernel/ids.js';
import type { Application, Uses } from '../application.js';
import { type Failure, isFailure } from '../failures.js';
import { readHistoryPage } from '../queries/history.js';
import { reactionsForRequest } from '../reactions/run.js';
import { newId } from '../ports/ids.js';
import { type RequestContext, anyRevision, idsOf } from '../commands/context.js';
import { admitSpending } from '../use-cases/credits/credits.js';
import { type EstimatedRun, estimatedRun, checkedInquiry } from './estimate-cost.js';
import { type InferenceRun, holdForRun, releaseForRun, runInference } from './run-inference.js';
import type { NameInference, InferenceRefusal, InferredNames, NameRequest } from './name-inference.js';

/** Fails if the audio was erased meanwhile: the results of its runs can no longer be read. */
const unlessErased = (app: Uses<'audios'>, { audio: { audio_id } }: NameRequest): TE.TaskEither<Failure, void> =>
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

/** More than the events of a run: requested, then answered or failed. */
const maxEvents = 10;

/** The answer of an earlier run, after making sure that it is charged and written; null if it has none. */
const answeredBefore = (
  app: Application,
  request: RequestContext,
  run_id: RunId,
): TE.TaskEither<Failure, InferredNames | null> =>
  pipe(
    app.nameInferences.load(run_id),
    TE.chain(({ state }) =>
      state._tag !== 'Answered'
        ? TE.right(null)
        : pipe(
            readHistoryPage(app.store, `nameInference-${run_id}`, -1, maxEvents),
            TE.chain(TE.traverseSeqArray(reactionsForRequest(app, request))),
            TE.map(() => ({ run_id, model: state.inquiry.model, results: state.results, replayed: true })),
          ),
    ),
  );

/**
 * What an interrupted run has come to. One without an answer is ended: its hold is released, and a late answer is not
 * billed.
 */
export const interruptedRun = (
  app: Application,
  request: RequestContext,
  run_id: RunId,
): TE.TaskEither<Failure, 'again' | 'anew'> =>
  pipe(
    app.nameInferences.load(run_id),
    TE.chain(({ state }): TE.TaskEither<Failure, 'again' | 'anew'> => {
      if (state._tag === 'Answered') return TE.right('again');
      if (state._tag === 'Failed') return TE.right('anew');
      return pipe(
        app.perform(anyRevision(request), 'nameInferences', run_id, { type: 'AbandonInference', at: app.clock.now() }),
        TE.chainW(() => releaseForRun(app, request, run_id)),
        TE.map(() => 'anew' as const),
        TE.orElse((refusal) => (isFailure(refusal) ? TE.left(refusal) : interruptedRun(app, request, run_id))),
      );
    }),
  );

/**
 * One billed run: checks, admission, hold, model, grounding, the run's event, charge. Admission is checked early, so that a
 * refusal costs nothing, and decided with the hold. A run that was answered before an interruption is answered as it was.
 */
export const inferNames = (
  app: Application,
  inference: NameInference,
  request: RequestContext,
  asked: NameRequest,
): TE.TaskEither<InferenceRefusal, InferredNames> => {
  const run_id = newId(idsOf(app.ids, request), RunId);
  const run = ({ question, most }: EstimatedRun): TE.TaskEither<InferenceRefusal, InferredNames> =>
    pipe(
      holdForRun(app, inference, request, run_id, { amount: most, max_credits: asked.max_credits }),
      TE.chainW(() => paidFor(app, inference, request, { run_id, asked, question, held: most })),
    );
  const first = pipe(
    checkedInquiry(app, asked.audio, asked.target_speaker_ids),
    TE.chainW(() => estimatedRun(app, inference, asked)),
    TE.chainFirstW(({ most }) =>
      admitSpending(app, request, request.caller.account_id, { amount: most, max_credits: asked.max_credits }),
    ),
    TE.chainW((estimated) => inference.running.add(run(estimated))),
  );
  return request.write?.taken_over === true
    ? pipe(
        answeredBefore(app, request, run_id),
        TE.chainW((names) => (names === null ? first : TE.right(names))),
      )
    : first;
};
