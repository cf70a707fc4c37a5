import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { RegisteredAudio } from '../../domain/audio/state.js';
import { ground } from '../../domain/grounding/ground.js';
import type { ResultRow } from '../../domain/grounding/result-row.js';
import { add, creditsText, priceOf } from '../../domain/kernel/credits.js';
import type { RunId } from '../../domain/kernel/ids.js';
import type { NameInferenceRefusal } from '../../domain/name-inference/contract.js';
import type { Application } from '../application.js';
import { transcriptOf } from '../evidence/transcript.js';
import type { Failure, RevisionChanged } from '../failures.js';
import { performSettled } from '../perform.js';
import type { NameAnswer, NameModelFailed, NameQuestion } from '../ports/name-model.js';
import { type RequestContext, commandContext } from '../request-context.js';
import type { InferenceRefusal, InferredNames, NameRequest } from './infer-names.js';
import type { NameInference } from './name-inference.js';

const tokensPerPrice = 1_000;

/** What a run costs: the base price and that of its tokens. */
export const costOf = ({ price }: NameInference, total_tokens: number) =>
  add(price.base, priceOf(price.per_1k_tokens, total_tokens, tokensPerPrice));

export const questionOf = (
  { audio, target_speaker_ids, infer_roles }: NameRequest,
  transcript: NameQuestion['transcript'],
): NameQuestion => ({
  transcript,
  speakers: [...audio.speakers.values()].map(({ speaker_id, name }) => ({ speaker_id, name })),
  target_speaker_ids: [...new Set(target_speaker_ids)],
  infer_roles,
});

const grounded = (
  audio: RegisteredAudio,
  { transcript, target_speaker_ids, infer_roles }: NameQuestion,
  { proposals }: NameAnswer,
): ReadonlyArray<ResultRow> =>
  ground({
    video_id: audio.video_id,
    transcript,
    speakers: [...audio.speakers.values()],
    target_speaker_ids,
    infer_roles,
    proposals,
  });

/** A run that was given up meanwhile is not billed: its answer came too late. */
const givenUp = (refusal: NameInferenceRefusal | RevisionChanged | Failure): NameModelFailed | Failure =>
  refusal._tag === 'StoreUnavailable' || refusal._tag === 'UnreadableEvent' || refusal._tag === 'Contention'
    ? refusal
    : { _tag: 'NameModelFailed', reason: 'the run was given up before the model answered' };

const failed = (
  app: Application,
  request: RequestContext,
  run_id: RunId,
  failure: NameModelFailed,
): TE.TaskEither<InferenceRefusal, never> =>
  pipe(
    app.nameInferences.handle(
      run_id,
      { type: 'RecordNameFailure', reason: failure.reason, at: app.clock.now() },
      commandContext(app.ids, request),
    ),
    TE.mapLeft(givenUp),
    TE.chainW(() => TE.left<InferenceRefusal>(failure)),
  );

/**
 * Asks the model and keeps what came of it: the grounded rows with their price in the run's stream, then the charge
 * and what a committing run writes, all before the answer leaves.
 */
export const runInference = (
  app: Application,
  inference: NameInference,
  request: RequestContext,
  run_id: RunId,
  asked: NameRequest,
): TE.TaskEither<InferenceRefusal, InferredNames> => {
  const { audio, mode, infer_roles } = asked;
  const model = inference.model.name;
  const context = () => commandContext(app.ids, request);
  const answered = (question: NameQuestion, answer: NameAnswer): TE.TaskEither<InferenceRefusal, InferredNames> => {
    const results = grounded(audio, question, answer);
    return pipe(
      performSettled(app, request)(
        app.nameInferences,
        run_id,
        {
          type: 'RecordNameAnswer',
          results,
          total_tokens: answer.total_tokens,
          amount: creditsText(costOf(inference, answer.total_tokens)),
          by: request.caller.key_id,
          at: app.clock.now(),
        },
        context(),
      ),
      TE.mapLeft(givenUp),
      TE.map(() => ({ run_id, model, results })),
    );
  };
  return pipe(
    TE.Do,
    TE.bind('question', () =>
      pipe(
        transcriptOf(app.store, audio),
        TE.map((transcript) => questionOf(asked, transcript)),
      ),
    ),
    TE.chainFirstW(({ question: { target_speaker_ids } }) =>
      pipe(
        performSettled(app, request)(
          app.nameInferences,
          run_id,
          {
            type: 'RequestNameInference',
            run_id,
            audio_id: audio.audio_id,
            video_id: audio.video_id,
            account_id: request.caller.account_id,
            mode,
            target_speaker_ids,
            infer_roles,
            model,
            at: request.at,
          },
          context(),
        ),
        TE.mapLeft(givenUp),
      ),
    ),
    TE.chainW(({ question }) =>
      pipe(
        inference.model.infer(question),
        TE.matchE(
          (failure): TE.TaskEither<InferenceRefusal, InferredNames> => failed(app, request, run_id, failure),
          (answer) => answered(question, answer),
        ),
      ),
    ),
  );
};
