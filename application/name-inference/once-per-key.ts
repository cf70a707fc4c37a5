import * as T from 'fp-ts/lib/Task.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { isAdmissionRefusal } from '../../domain/credit-account/contract.js';
import type { IdempotencyKeyRefusal } from '../../domain/idempotency-key/contract.js';
import { holderAt, type IdempotencyKeyState } from '../../domain/idempotency-key/decider.js';
import type { RunId } from '../../domain/kernel/ids.js';
import { type Timestamp, secondsBetween } from '../../domain/kernel/timestamp.js';
import { type NameInferenceState, abandonedReason } from '../../domain/name-inference/decider.js';
import type { Application, Uses, Dependencies } from '../application.js';
import { type Failure, type RevisionChanged, isFailure } from '../failures.js';
import type { NameModelFailed } from '../ports/name-model.js';
import { type RequestContext, anyRevision } from '../commands/context.js';
import { inferNames, unlessErased, type Claim } from './infer-names.js';
import type { NameInference } from './name-inference.js';
import type { InferenceRefusal, InferredNames, NameRequest } from './name-request.js';
import { reactionsForRequest } from '../reactions/run.js';
import { readHistoryPage } from '../queries/history.js';
import { creditsText } from '../../domain/kernel/credits.js';
import { idempotencyKeyId } from '../idempotency/write-key.js';
import { releaseForRun } from './hold-for-run.js';

/** The operations of a request with an idempotency key on the log. */
interface KeyedRequest {
  /** A digest of the request's content; a repetition must have the same. */
  readonly digest: string;
  readonly key: TE.TaskEither<Failure, IdempotencyKeyState>;
  /** Claims the key for a run; from another run only if that ended without an answer. */
  readonly claim: (replaces_run: RunId | null) => Claim<IdempotencyKeyRefusal | RevisionChanged | Failure>;
  readonly run: (run_id: RunId) => TE.TaskEither<Failure, NameInferenceState>;
  /** Ends an interrupted run, even one without events: releases its hold, and a late answer is not billed. */
  readonly giveUp: (run_id: RunId) => TE.TaskEither<Failure, 'given_up' | 'ended_before'>;
}

const keyedRequest = (
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

/** More than the events of a run: requested, then answered or failed. */
const maxEvents = 10;

/** Runs the reactions to a run's events, so that it is charged and written even if it was interrupted after its answer. */
const finishRun = (app: Dependencies, request: RequestContext, run_id: RunId): TE.TaskEither<Failure, void> =>
  pipe(
    readHistoryPage(app.store, `nameInference-${run_id}`, -1, maxEvents),
    TE.chain(TE.traverseSeqArray(reactionsForRequest(app, request))),
    TE.map(() => undefined),
  );

export interface Answered extends InferredNames {
  /** Whether this is the answer of an earlier request with the same key. */
  readonly replayed: boolean;
}

type Outcome = TE.TaskEither<InferenceRefusal | IdempotencyKeyRefusal, Answered>;

/** The run that has claimed the key, and since when. */
interface Holder {
  readonly run_id: RunId;
  readonly since: Timestamp;
}

const pauseUnlessErased = (app: Uses<'audios'>, asked: NameRequest): TE.TaskEither<Failure, void> =>
  pipe(
    TE.fromTask(T.delay(250)(T.of(undefined))),
    TE.chain(() => unlessErased(app, asked)),
  );
/** Added to the model's time limit, for storing the answer. */
const grace_seconds = 5;

const replayed = (names: InferredNames): Answered => ({ ...names, replayed: true });

const isOverdue = ({ clock }: Uses<'clock'>, { timeout_seconds }: NameInference, { since }: Holder): boolean =>
  secondsBetween(since, clock.now()) > timeout_seconds + grace_seconds;

/** The run of an equal earlier request, or that a different request has the key, or null if nobody has it. */
type Earlier = Holder | 'another' | null;

const earlierOf = ({ key, digest }: KeyedRequest, at: Timestamp): TE.TaskEither<Failure, Earlier> =>
  pipe(
    key,
    TE.map((state) => {
      const holder = holderAt(state, at);
      if (holder === null) return null;
      return holder.kind === 'run' && holder.request_digest === digest ? holder : 'another';
    }),
  );

const isRun = (earlier: Earlier): earlier is Holder => earlier !== null && earlier !== 'another';

/** Whether a refusal may be temporary. */
const isTemporary = (refusal: { readonly _tag: string }): boolean =>
  isAdmissionRefusal(refusal) || refusal._tag === 'RevisionChanged';

type Failed = Extract<NameInferenceState, { _tag: 'Failed' }>;
const asFailed = ({ reason }: Failed, run_id: RunId): NameModelFailed => ({ _tag: 'NameModelFailed', reason, run_id });
/** Whether requests that waited for the run share its failure. They do for a model failure, not for a run that was given up. */
const isShared = ({ reason }: Failed): boolean => reason !== abandonedReason;

/** The answer of an earlier run, after making sure that it is charged and written. */
const answeredBefore = (
  app: Application,
  request: RequestContext,
  run_id: RunId,
  { results, inquiry: { model } }: Extract<NameInferenceState, { _tag: 'Answered' }>,
): Outcome =>
  pipe(
    finishRun(app, request, run_id),
    TE.map(() => replayed({ run_id, model, results })),
  );

/** Waits for a running run; one of another instance is polled. */
const waitFor = (
  app: Uses<'audios'>,
  { running }: NameInference,
  asked: NameRequest,
  { run_id }: Holder,
  again: () => Outcome,
): Outcome => {
  const here = running.find(run_id);
  return here === null ? pipe(pauseUnlessErased(app, asked), TE.chainW(again)) : pipe(here, TE.map(replayed));
};

/**
 * Serves a request once per idempotency key of an account (contract, Idempotency-Key). A repetition gets the first answer,
 * waits for it, or takes over if the first run failed or was interrupted. The stream of the key decides which request is
 * first, so this holds after a restart and on all instances.
 */
export const oncePerKey = (
  app: Application,
  inference: NameInference,
  request: RequestContext,
  asked: NameRequest,
  key: string,
): Outcome => {
  const keyed = keyedRequest(app, request, asked, key);
  const earlier = earlierOf(keyed, request.at);

  const goFirst = (replaces_run: RunId | null): Outcome =>
    pipe(
      inferNames(app, inference, request, asked, keyed.claim(replaces_run)),
      TE.map((names): Answered => ({ ...names, replayed: false })),
      TE.orElse((refusal): Outcome => {
        if (refusal._tag === 'KeyHeld') return follow(refusal, false);
        // The refusal may be caused by what the first request with this key has done meanwhile.
        const first = isTemporary(refusal) ? earlier : TE.right(null);
        return pipe(
          first,
          TE.chainW((run): Outcome =>
            isRun(run) && run.run_id !== replaces_run ? follow(run, false) : TE.left(refusal),
          ),
        );
      }),
    );

  const takeOver = (holder: Holder): Outcome =>
    pipe(
      keyed.giveUp(holder.run_id),
      TE.chainW((ended): Outcome => (ended === 'given_up' ? goFirst(holder.run_id) : follow(holder, false))),
    );

  /** `waited`: this request waited for the run, and shares its failure instead of starting another. */
  const follow = (holder: Holder, waited: boolean): Outcome =>
    pipe(
      keyed.run(holder.run_id),
      TE.chainW((run): Outcome => {
        if (run._tag === 'Answered') return answeredBefore(app, request, holder.run_id, run);
        if (run._tag === 'Failed')
          return waited && isShared(run) ? TE.left(asFailed(run, holder.run_id)) : goFirst(holder.run_id);
        return isOverdue(app, inference, holder)
          ? takeOver(holder)
          : waitFor(app, inference, asked, holder, () => follow(holder, true));
      }),
    );

  /** Starts again if the followed run was taken over by another. */
  const serve: Outcome = pipe(
    earlier,
    TE.chainW((first): Outcome => {
      if (first === null) return goFirst(null);
      return isRun(first) ? follow(first, false) : TE.left({ _tag: 'KeyReused' });
    }),
    TE.orElse((refusal): Outcome => (refusal._tag === 'RunTakenOver' ? serve : TE.left(refusal))),
  );
  return serve;
};
