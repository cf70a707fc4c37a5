import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { refusalOf } from '../../domain/kernel/erased.js';
import { RunId } from '../../domain/kernel/ids.js';
import type { Application, Uses } from '../application.js';
import { transcriptOf } from '../evidence/transcript.js';
import { type Failure, type RevisionChanged, isFailure } from '../failures.js';
import { checkRevision } from '../commands/decide.js';
import { newId } from '../ports/ids.js';
import type { NameQuestion } from '../ports/name-model.js';
import type { RequestContext } from '../commands/context.js';
import { admitSpending } from '../use-cases/credits/spend-credits.js';
import { holdForRun, releaseForRun } from './hold-for-run.js';
import { checkedInquiry } from './inquiry.js';
import type { NameInference } from './name-inference.js';
import type { InferenceRefusal, InferredNames, NameRequest } from './name-request.js';
import { type InferenceRun, questionOf, runInference } from './run-inference.js';

/** A committing run writes to the audio, on the condition of the revision that the request names. */
const checkedCondition = (
  app: Uses<'audios'>,
  { if_match }: RequestContext,
  { audio, mode }: NameRequest,
): TE.TaskEither<RevisionChanged | Failure, void> =>
  mode === 'suggest'
    ? TE.right(undefined)
    : pipe(
        app.audios.load(audio.audio_id),
        TE.chainW(({ revision }) => TE.fromEither(checkRevision(if_match, revision))),
      );

/** What makes a run the one that goes ahead, where several requests are the same. */
export interface Claim<Refused> {
  /** Asked once nothing but credit and the model can fail. */
  readonly take: (run_id: RunId) => TE.TaskEither<Refused, void>;
  /** The run found no credit after all, and has not begun. */
  readonly giveBack: (run_id: RunId) => TE.TaskEither<Failure, unknown>;
}

/** A request without an idempotency key is like no other. */
export const unclaimed: Claim<never> = { take: () => TE.right(undefined), giveBack: () => TE.right(undefined) };

/** Refuses what is about an audio that was erased meanwhile: what a run had said of it cannot be read any more. */
export const unlessErased = (app: Uses<'audios'>, { audio: { audio_id } }: NameRequest): TE.TaskEither<Failure, void> =>
  pipe(
    app.audios.load(audio_id),
    TE.chainW(({ state }) => (state._tag === 'Erased' ? TE.left(refusalOf(state)) : TE.right(undefined))),
  );

/** Asks the model with the credits set aside that it may cost; they are released when it gives no answer. */
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
 * One billed run: checks, admission, the hold, the model, grounding, the run's own event, the charge. Admission is
 * asked for twice, so that a refusal costs nothing, and decided with the hold.
 */
export const inferNames = <Refused>(
  app: Application,
  inference: NameInference,
  request: RequestContext,
  asked: NameRequest,
  claim: Claim<Refused>,
): TE.TaskEither<InferenceRefusal | Refused, InferredNames> => {
  const run_id = newId(app.ids, RunId);
  const held = (question: NameQuestion): TE.TaskEither<InferenceRefusal, void> =>
    pipe(
      holdForRun(app, inference, request, run_id, question),
      TE.orElseFirstW((refusal) => (isFailure(refusal) ? TE.right(undefined) : claim.giveBack(run_id))),
    );
  const run = pipe(
    transcriptOf(app, asked.audio),
    TE.map((transcript) => questionOf(asked, transcript)),
    TE.chainFirstW(held),
    TE.chainW((question) => paidFor(app, inference, request, { run_id, asked, question })),
  );
  return pipe(
    checkedCondition(app, request, asked),
    TE.chainW(() => checkedInquiry(app, asked.audio, asked.target_speaker_ids)),
    TE.chainW(() => admitSpending(app, request, request.caller.account_id)),
    TE.chainW(() => claim.take(run_id)),
    TE.chainW(() => inference.running.start(run_id, run)),
  );
};
