import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { RegisteredAudio } from '../../domain/audio/state.js';
import type { Grounding } from '../../domain/grounding/ground.js';
import type { ResultRow } from '../../domain/grounding/result-row.js';
import { type Credits, creditsText, subtract } from '../../domain/kernel/credits.js';
import type { RunId } from '../../domain/kernel/ids.js';
import type { NameInferenceCommand, NameInferenceRefusal } from '../../domain/name-inference/contract.js';
import type { Uses } from '../application.js';
import { type Failure, type RevisionChanged, isFailure } from '../failures.js';
import type { NameAnswer, NameModelFailed, NameQuestion } from '../ports/name-model.js';
import { type RequestContext, anyRevision } from '../commands/context.js';
import {
  type InferenceRefusal,
  type InferredNames,
  type NameRequest,
  type RunTakenOver,
  type NameInference,
  costOf,
} from './name-inference.js';
import type { AdmissionRefusal, HoldCredits } from '../../domain/credit-account/contract.js';
import { secondsAfter } from '../../domain/kernel/timestamp.js';
import { holdCredits, releaseHold } from '../use-cases/credits/credits.js';

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

/** One run: its id, the request, and the question to the model. */
export interface InferenceRun {
  readonly run_id: RunId;
  readonly asked: NameRequest;
  readonly question: NameQuestion;
  /** What the account holds for the run: no more is charged. */
  readonly held: Credits;
}

export const questionOf = (
  { audio, target_speaker_ids, infer_roles }: NameRequest,
  transcript: NameQuestion['transcript'],
): NameQuestion => ({
  transcript,
  speakers: [...audio.speakers.values()].map(({ speaker_id, name }) => ({ speaker_id, name })),
  target_speaker_ids: [...new Set(target_speaker_ids)],
  infer_roles,
});

const groundingOf = (
  audio: RegisteredAudio,
  { transcript, target_speaker_ids, infer_roles }: NameQuestion,
  { proposals }: NameAnswer,
): Grounding => ({
  video_id: audio.video_id,
  transcript,
  speakers: [...audio.speakers.values()],
  target_speaker_ids,
  infer_roles,
  proposals,
});

/** The grounded answer of a model, and the tokens that are billed. */
interface GroundedAnswer {
  readonly results: ReadonlyArray<ResultRow>;
  readonly total_tokens: number;
}

const groundedAnswer = (
  { model, ground }: NameInference,
  audio: RegisteredAudio,
  question: NameQuestion,
): TE.TaskEither<NameModelFailed, GroundedAnswer> =>
  pipe(
    model.infer(question),
    TE.chain((answer) =>
      pipe(
        ground(groundingOf(audio, question, answer)),
        TE.map((results) => ({ results, total_tokens: answer.total_tokens })),
      ),
    ),
  );

/** A refused write means that the run was given up meanwhile. */
const takenOver =
  (run_id: RunId) =>
  (refusal: NameInferenceRefusal | RevisionChanged | Failure): RunTakenOver | Failure =>
    isFailure(refusal) || refusal._tag === 'MediumErased' ? refusal : { _tag: 'RunTakenOver', run_id };

/** Writes to the run's stream and runs the reactions: an answer is charged, and in commit mode written to the audio. */
const record = (
  app: Uses<'performWithReactions'>,
  request: RequestContext,
  run_id: RunId,
  command: NameInferenceCommand,
): TE.TaskEither<RunTakenOver | Failure, void> =>
  pipe(
    app.performWithReactions(anyRevision(request), 'nameInferences', run_id, command),
    TE.mapLeft(takenOver(run_id)),
    TE.map(() => undefined),
  );

const renumberedAt = ({ renumberings }: RegisteredAudio): { readonly renumbered_at?: number } => {
  const last = renumberings.at(-1);
  return last === undefined ? {} : { renumbered_at: last.revision };
};

const requested = (
  { model }: NameInference,
  { caller, at }: RequestContext,
  run_id: RunId,
  { audio, mode, infer_roles }: NameRequest,
  { target_speaker_ids }: NameQuestion,
): NameInferenceCommand => ({
  type: 'RequestNameInference',
  run_id,
  audio_id: audio.audio_id,
  video_id: audio.video_id,
  account_id: caller.account_id,
  mode,
  target_speaker_ids,
  infer_roles,
  model: model.name,
  at,
  ...renumberedAt(audio),
});

/**
 * Calls the model, then records the grounded rows with their price in the run's stream, charges the account and, in commit
 * mode, writes to the audio, all before it returns.
 */
export const runInference = (
  app: Uses<'clock' | 'log' | 'performWithReactions'>,
  inference: NameInference,
  request: RequestContext,
  { run_id, asked, question, held }: InferenceRun,
): TE.TaskEither<InferenceRefusal, InferredNames> => {
  const { request_id } = request;
  const inform = (command: NameInferenceCommand) => record(app, request, run_id, command);
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
      inform({ type: 'RecordNameAnswer', results, total_tokens, cost, held, by, at: app.clock.now() }),
      TE.map(() => ({ run_id, model: inference.model.name, results, replayed: false })),
    );
  };
  const failed = (failure: NameModelFailed): TE.TaskEither<InferenceRefusal, InferredNames> => {
    app.log.warn('the name model gave no usable answer', { request_id, run_id, reason: failure.reason });
    return pipe(
      inform({ type: 'RecordNameFailure', reason: failure.reason, at: app.clock.now() }),
      TE.chain(() => TE.left<InferenceRefusal>({ ...failure, run_id })),
    );
  };
  return pipe(
    inform(requested(inference, request, run_id, asked, question)),
    TE.chainW(() => pipe(groundedAnswer(inference, asked.audio, question), TE.matchE(failed, answered))),
  );
};
