import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { constVoid, pipe } from 'fp-ts/lib/function.js';
import { refusalOf } from '../../domain/kernel/erased.js';
import { RunId } from '../../domain/kernel/ids.js';
import type { Application, Uses } from '../application.js';
import { type Failure, isFailure } from '../failures.js';
import { readHistoryPage } from '../queries/events.js';
import { reactionsForRequest } from '../reactions/run.js';
import { type RequestContext, newId, anyRevision, idsOf } from '../commands/context.js';
import { holdCredits, releaseHold } from '../use-cases/credits/credits.js';
import {
  type NameInference,
  type InferenceRefusal,
  type InferredNames,
  type NameRequest,
  type RunTakenOver,
  estimatedRun,
  checkInferable,
  costOf,
} from './name-inference.js';
import type { ResultRow } from '../../domain/grounding/result-row.js';
import { type Credits, creditsText, subtract } from '../../domain/kernel/credits.js';
import type { NameInferenceCommand } from '../../domain/name-inference/contract.js';
import type { NameModelFailed, NameQuestion } from '../ports/name-model.js';
import { secondsAfter } from '../../domain/kernel/timestamp.js';

/** Added to the model's time limit: then the hold of an interrupted run lapses. */
const lapse_seconds = 60;

/** Releases the hold of a failed run. If the store is unavailable, the hold lapses later. */
const releaseForRun = (
  app: Uses<'clock' | 'log' | 'perform'>,
  request: RequestContext,
  run_id: RunId,
): TE.TaskEither<never, void> =>
  pipe(
    releaseHold(app, request, request.caller.account_id, run_id),
    TE.match(({ _tag: failure }) => {
      const { request_id } = request;
      app.log.warn('a credit hold could not be released and will lapse', { request_id, run_id, failure });
    }, constVoid),
    TE.fromTask,
  );

/** One run: its id, what is asked, and the question to the model. */
interface InferenceRun {
  readonly run_id: RunId;
  readonly asked: NameRequest;
  readonly question: NameQuestion;
  /** What the account holds for the run: no more is charged. */
  readonly held: Credits;
}

/** The grounded answer of a model, and the tokens that are billed. */
interface GroundedAnswer {
  readonly results: ReadonlyArray<ResultRow>;
  readonly total_tokens: number;
}

const groundedAnswer = (
  { model, ground }: NameInference,
  { asked: { audio }, question }: InferenceRun,
): TE.TaskEither<NameModelFailed, GroundedAnswer> => {
  const { transcript, target_speaker_ids, infer_roles } = question;
  const speakers = [...audio.speakers.values()];
  return pipe(
    model.infer(question),
    TE.chain(({ proposals, total_tokens }) =>
      pipe(
        ground({ video_id: audio.video_id, transcript, speakers, target_speaker_ids, infer_roles, proposals }),
        TE.map((results) => ({ results, total_tokens })),
      ),
    ),
  );
};

const requested = (
  { model }: NameInference,
  { caller, at }: RequestContext,
  { run_id, asked: { audio, mode }, question: { target_speaker_ids, infer_roles } }: InferenceRun,
): NameInferenceCommand => {
  const { audio_id, video_id, renumberings } = audio;
  const last = renumberings.at(-1);
  return {
    type: 'RequestNameInference',
    run_id,
    audio_id,
    video_id,
    account_id: caller.account_id,
    mode,
    target_speaker_ids,
    infer_roles,
    model: model.name,
    at,
    ...(last === undefined ? {} : { renumbered_at: last.revision }),
  };
};

/**
 * Calls the model, then records the grounded rows with their price in the run's stream, charges the account and, in commit
 * mode, writes to the audio, all before it returns.
 */
const runInference = (
  app: Uses<'clock' | 'log' | 'perform'>,
  inference: NameInference,
  request: RequestContext,
  run: InferenceRun,
): TE.TaskEither<InferenceRefusal, InferredNames> => {
  const { request_id } = request;
  const { run_id, held } = run;
  const record = (command: NameInferenceCommand): TE.TaskEither<RunTakenOver | Failure, unknown> =>
    pipe(
      app.perform(anyRevision(request), 'nameInferences', run_id, command),
      // A refused write means that the run was given up meanwhile.
      TE.mapLeft((refusal): RunTakenOver | Failure =>
        isFailure(refusal) || refusal._tag === 'MediumErased' ? refusal : { _tag: 'RunTakenOver', run_id },
      ),
      // The answer must not be sent before it is charged and written.
      TE.chainEitherKW(({ unreacted }) => (unreacted === null ? E.right(undefined) : E.left(unreacted))),
    );
  const answered = ({ total_tokens, results }: GroundedAnswer): TE.TaskEither<InferenceRefusal, InferredNames> => {
    const cost = costOf(inference, total_tokens);
    if (cost > held)
      app.log.warn('a name inference cost more than was held for it; the rest is not charged', {
        request_id,
        run_id,
        total_tokens,
        not_charged: creditsText(subtract(cost, held)),
      });
    const by = request.caller.key_id;
    return pipe(
      record({ type: 'RecordNameAnswer', results, total_tokens, cost, held, by, at: app.clock.now() }),
      TE.map(() => ({ run_id, model: inference.model.name, results, replayed: false })),
    );
  };
  const failed = (failure: NameModelFailed): TE.TaskEither<InferenceRefusal, InferredNames> => {
    app.log.warn('the name model gave no usable answer', { request_id, run_id, reason: failure.reason });
    return pipe(
      record({ type: 'RecordNameFailure', reason: failure.reason, at: app.clock.now() }),
      TE.chain(() => TE.left<InferenceRefusal>({ ...failure, run_id })),
    );
  };
  return pipe(
    record(requested(inference, request, run)),
    TE.chainW(() => pipe(groundedAnswer(inference, run), TE.matchE(failed, answered))),
  );
};

/** Fails if the audio was erased meanwhile: the results of its runs can no longer be read. */
const unlessErased = (app: Uses<'audios'>, { audio: { audio_id } }: NameRequest): TE.TaskEither<Failure, void> =>
  pipe(
    app.audios.load(audio_id),
    TE.chainW(({ state }) => (state._tag === 'Erased' ? TE.left(refusalOf(state)) : TE.right(undefined))),
  );

/** Holds what a run costs at most until it is charged, fails or lapses, and runs it. */
const paidRun = (
  app: Uses<'audios' | 'clock' | 'log' | 'perform'>,
  inference: NameInference,
  request: RequestContext,
  run: InferenceRun,
): TE.TaskEither<InferenceRefusal, InferredNames> => {
  const at = app.clock.now();
  const { run_id, asked, held: amount } = run;
  const lapses_at = secondsAfter(at, inference.timeout_seconds + lapse_seconds);
  const hold = { hold_id: run_id, amount, max_credits: asked.max_credits, lapses_at, run_id, session_id: null, at };
  return pipe(
    holdCredits(app, request, request.caller.account_id, hold),
    TE.chainW(() =>
      pipe(
        runInference(app, inference, request, run),
        // After a technical failure it may still be charged: then the hold lapses.
        TE.orElseFirstW((refusal) => (isFailure(refusal) ? TE.right(undefined) : releaseForRun(app, request, run_id))),
        TE.orElseFirstW(({ _tag }) => (_tag === 'RunTakenOver' ? unlessErased(app, asked) : TE.right(undefined))),
      ),
    ),
  );
};

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
): TE.TaskEither<Failure, 'again' | 'start_over'> =>
  pipe(
    app.nameInferences.load(run_id),
    TE.chain(({ state }): TE.TaskEither<Failure, 'again' | 'start_over'> => {
      if (state._tag === 'Answered') return TE.right('again');
      if (state._tag === 'Failed') return TE.right('start_over');
      return pipe(
        app.perform(anyRevision(request), 'nameInferences', run_id, { type: 'AbandonInference', at: app.clock.now() }),
        TE.chainW(() => releaseForRun(app, request, run_id)),
        TE.map(() => 'start_over' as const),
        TE.orElse((refusal) => (isFailure(refusal) ? TE.left(refusal) : interruptedRun(app, request, run_id))),
      );
    }),
  );

/**
 * One billed run: checks, admission with the hold, model, grounding, the run's event, charge. A run that was answered before
 * an interruption is answered as it was.
 */
export const inferNames = (
  app: Application,
  inference: NameInference,
  request: RequestContext,
  asked: NameRequest,
): TE.TaskEither<InferenceRefusal, InferredNames> => {
  const run_id = newId(idsOf(app.ids, request), RunId);
  const first = pipe(
    checkInferable(app, asked.audio, asked.target_speaker_ids),
    TE.chainW(() => estimatedRun(app, inference, asked)),
    TE.chainW(({ question, most }) =>
      inference.running.run(run_id, () => paidRun(app, inference, request, { run_id, asked, question, held: most })()),
    ),
  );
  return request.write?.taken_over === true
    ? pipe(
        answeredBefore(app, request, run_id),
        TE.chainW((names) => (names === null ? first : TE.right(names))),
      )
    : first;
};
