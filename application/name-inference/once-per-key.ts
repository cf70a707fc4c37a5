import * as T from 'fp-ts/lib/Task.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { IdempotencyKeyRefusal } from '../../domain/idempotency-key/contract.js';
import { holderAt } from '../../domain/idempotency-key/decider.js';
import type { RunId } from '../../domain/kernel/ids.js';
import { type Timestamp, secondsBetween } from '../../domain/kernel/timestamp.js';
import type { Application } from '../application.js';
import { type RequestContext, commandContext } from '../request-context.js';
import { type InferenceRefusal, type InferredNames, type NameRequest, inferNames } from './infer-names.js';
import type { NameInference } from './name-inference.js';
import { settleRun } from './settle-run.js';

export interface Answered extends InferredNames {
  /** The answer of an earlier request with the same key. */
  readonly replayed: boolean;
}

type Refused = InferenceRefusal | IdempotencyKeyRefusal;
type Outcome = TE.TaskEither<Refused, Answered>;

/** Somebody else's run under the same key, and since when it holds the key. */
interface Holder {
  readonly run_id: RunId;
  readonly since: Timestamp;
}

const pause = 250;
/** Beyond the model's time limit: what a run needs to keep its answer. */
const grace_seconds = 5;

/** What the first request with a key is about; a repetition must be about the same. */
const digestOf = (app: Application, { audio, mode, target_speaker_ids, infer_roles }: NameRequest): string =>
  app.ids.digest(JSON.stringify([audio.audio_id, mode, target_speaker_ids, infer_roles]));

/**
 * Serves a request once for each idempotency key of an account (contract, Idempotency-Key): a repetition gets the
 * first one's answer, waits for it while it is at work, and takes its place when it failed or was cut off. The key's
 * own stream decides who goes first, so that it holds after a restart and on any instance.
 */
export const oncePerKey = (
  app: Application,
  inference: NameInference,
  request: RequestContext,
  asked: NameRequest,
  key: string,
): Outcome => {
  const { account_id } = request.caller;
  const id = app.ids.digest(`${account_id} ${key}`);
  const request_digest = digestOf(app, asked);

  const claim = (run_id: RunId, instead_of: RunId | null): TE.TaskEither<Refused, void> =>
    pipe(
      app.idempotencyKeys.handle(
        id,
        { type: 'ClaimIdempotencyKey', account_id, run_id, request_digest, instead_of, at: app.clock.now() },
        commandContext(app.ids, request),
      ),
      TE.map(() => undefined),
    );

  const goFirst = (instead_of: RunId | null): Outcome =>
    pipe(
      inferNames(app, inference, request, asked, (run_id) => claim(run_id, instead_of)),
      TE.map((names): Answered => ({ ...names, replayed: false })),
      TE.orElse((refusal): Outcome => (refusal._tag === 'KeyHeld' ? follow(refusal, false) : TE.left(refusal))),
    );

  /** The run was cut off. It is ended first, so that an answer that still comes is not billed. */
  const takeOver = (holder: Holder): Outcome =>
    pipe(
      app.nameInferences.handle(
        holder.run_id,
        { type: 'RecordNameFailure', reason: 'given up', at: app.clock.now() },
        commandContext(app.ids, request),
      ),
      TE.matchE(
        (refusal): Outcome => (refusal._tag === 'InferenceEnded' ? follow(holder, false) : goFirst(holder.run_id)),
        () => goFirst(holder.run_id),
      ),
    );

  const wait = (holder: Holder): Outcome => {
    const running = inference.running.find(holder.run_id);
    return running === null
      ? pipe(
          TE.fromTask<void, Refused>(T.delay(pause)(T.of(undefined))),
          TE.chain(() => follow(holder, true)),
        )
      : pipe(
          running,
          TE.map((names) => ({ ...names, replayed: true })),
        );
  };

  /** `waited`: this request was there when the run failed, and shares its failure instead of asking again. */
  const follow = (holder: Holder, waited: boolean): Outcome =>
    pipe(
      app.nameInferences.load(holder.run_id),
      TE.chainW(({ state }): Outcome => {
        if (state._tag === 'Answered')
          return pipe(
            settleRun(app, request, holder.run_id),
            TE.map(() => ({ ...state, run_id: holder.run_id, model: state.inquiry.model, replayed: true })),
          );
        if (state._tag === 'Failed')
          return waited ? TE.left({ _tag: 'NameModelFailed', reason: state.reason }) : goFirst(holder.run_id);
        const overdue = secondsBetween(holder.since, app.clock.now()) > inference.timeout_seconds + grace_seconds;
        return overdue ? takeOver(holder) : wait(holder);
      }),
    );

  return pipe(
    app.idempotencyKeys.load(id),
    TE.chainW(({ state }): Outcome => {
      const holder = holderAt(state, request.at);
      if (holder === null) return goFirst(null);
      return holder.request_digest === request_digest ? follow(holder, false) : TE.left({ _tag: 'KeyReused' });
    }),
  );
};
