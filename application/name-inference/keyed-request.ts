import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { IdempotencyKeyRefusal } from '../../domain/idempotency-key/contract.js';
import type { IdempotencyKeyState } from '../../domain/idempotency-key/decider.js';
import { creditsText } from '../../domain/kernel/credits.js';
import type { RunId } from '../../domain/kernel/ids.js';
import type { NameInferenceState } from '../../domain/name-inference/decider.js';
import type { Application } from '../application.js';
import { type Failure, type RevisionChanged, isFailure } from '../failures.js';
import { type RequestContext, anyRevision } from '../commands/context.js';
import { idempotencyKeyId } from '../idempotency/write-key.js';
import { releaseForRun } from './hold-for-run.js';
import type { Claim } from './infer-names.js';
import type { NameRequest } from './name-request.js';

/** The operations of a request with an idempotency key on the log. */
export interface KeyedRequest {
  /** A digest of the request's content; a repetition must have the same. */
  readonly digest: string;
  readonly key: TE.TaskEither<Failure, IdempotencyKeyState>;
  /** Claims the key for a run; from another run only if that ended without an answer. */
  readonly claim: (replaces_run: RunId | null) => Claim<IdempotencyKeyRefusal | RevisionChanged | Failure>;
  readonly run: (run_id: RunId) => TE.TaskEither<Failure, NameInferenceState>;
  /** Ends an interrupted run, even one without events: releases its hold, and a late answer is not billed. */
  readonly giveUp: (run_id: RunId) => TE.TaskEither<Failure, 'given_up' | 'ended_before'>;
}

export const keyedRequest = (
  app: Application,
  request: RequestContext,
  { audio, mode, target_speaker_ids, infer_roles, max_credits }: NameRequest,
  key: string,
): KeyedRequest => {
  const { account_id } = request.caller;
  const id = idempotencyKeyId(app, account_id, key);
  const limit = max_credits === null ? [] : [creditsText(max_credits)];
  const digest = app.ids.digest(JSON.stringify([audio.audio_id, mode, target_speaker_ids, infer_roles, ...limit]));
  const own = anyRevision(request);
  const claim = (
    run_id: RunId,
    replaces_run: RunId | null,
  ): TE.TaskEither<IdempotencyKeyRefusal | RevisionChanged | Failure, void> => {
    const at = app.clock.now();
    const about = { account_id, run_id, request_digest: digest, replaces_run, at };
    return pipe(
      app.perform(own, 'idempotencyKeys', id, { type: 'ClaimIdempotencyKey', ...about }),
      TE.map(() => undefined),
    );
  };
  const giveUp: KeyedRequest['giveUp'] = (run_id) =>
    pipe(
      app.perform(own, 'nameInferences', run_id, { type: 'AbandonInference', at: app.clock.now() }),
      TE.chainW(() => releaseForRun(app, request, run_id)),
      TE.map(() => 'given_up' as const),
      TE.orElse((refusal) => (isFailure(refusal) ? TE.left(refusal) : TE.right('ended_before' as const))),
    );
  return {
    digest,
    key: pipe(
      app.idempotencyKeys.load(id),
      TE.map(({ state }) => state),
    ),
    claim: (replaces_run) => ({ take: (run_id) => claim(run_id, replaces_run), giveBack: giveUp }),
    run: (run_id) =>
      pipe(
        app.nameInferences.load(run_id),
        TE.map(({ state }) => state),
      ),
    giveUp,
  };
};
