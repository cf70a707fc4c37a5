import * as T from 'fp-ts/lib/Task.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { isAdmissionRefusal } from '../../domain/credit-account/contract.js';
import type { IdempotencyKeyRefusal } from '../../domain/idempotency-key/contract.js';
import { holderAt } from '../../domain/idempotency-key/decider.js';
import type { RunId } from '../../domain/kernel/ids.js';
import { type Timestamp, secondsBetween } from '../../domain/kernel/timestamp.js';
import { type NameInferenceState, abandonedReason } from '../../domain/name-inference/decider.js';
import type { Application, Uses } from '../application.js';
import type { Failure } from '../failures.js';
import type { NameModelFailed } from '../ports/name-model.js';
import type { RequestContext } from '../commands/context.js';
import { inferNames, unlessErased } from './infer-names.js';
import { type KeyedRequest, keyedRequest } from './keyed-request.js';
import type { NameInference } from './name-inference.js';
import type { InferenceRefusal, InferredNames, NameRequest } from './name-request.js';
import { finishRun } from './finish-run.js';

export interface Answered extends InferredNames {
  /** The answer of an earlier request with the same key. */
  readonly replayed: boolean;
}

type Outcome = TE.TaskEither<InferenceRefusal | IdempotencyKeyRefusal, Answered>;

/** The run that the key stands for, and since when. */
interface Holder {
  readonly run_id: RunId;
  readonly since: Timestamp;
}

const pauseUnlessErased = (app: Uses<'audios'>, asked: NameRequest): TE.TaskEither<Failure, void> =>
  pipe(
    TE.fromTask(T.delay(250)(T.of(undefined))),
    TE.chain(() => unlessErased(app, asked)),
  );
/** Beyond the model's time limit: what a run needs to keep its answer. */
const grace_seconds = 5;

const replayed = (names: InferredNames): Answered => ({ ...names, replayed: true });

const isOverdue = ({ clock }: Uses<'clock'>, { timeout_seconds }: NameInference, { since }: Holder): boolean =>
  secondsBetween(since, clock.now()) > timeout_seconds + grace_seconds;

/** The run of an earlier request that is the same; whether another request has the key; null where nobody has it. */
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

/** What may be refused now and not at another moment. */
const isOfThisMoment = (refusal: { readonly _tag: string }): boolean =>
  isAdmissionRefusal(refusal) || refusal._tag === 'RevisionChanged';

type Failed = Extract<NameInferenceState, { _tag: 'Failed' }>;
const asFailed = ({ reason }: Failed): NameModelFailed => ({ _tag: 'NameModelFailed', reason });
/** What the model could not do holds for everybody who waited for it; that a run was given up does not. */
const isShared = ({ reason }: Failed): boolean => reason !== abandonedReason;

/** The answer of a run, once it is charged and written: it may have been cut off right after it was answered. */
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

/** The answer of a run under way; one of another instance is looked at again after a pause. */
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
  const keyed = keyedRequest(app, request, asked, key);
  const earlier = earlierOf(keyed, request.at);

  const goFirst = (replaces_run: RunId | null): Outcome =>
    pipe(
      inferNames(app, inference, request, asked, keyed.claim(replaces_run)),
      TE.map((names): Answered => ({ ...names, replayed: false })),
      TE.orElse((refusal): Outcome => {
        if (refusal._tag === 'KeyHeld') return follow(refusal, false);
        // What refuses this request may be what the first one with its key has done meanwhile.
        const first = isOfThisMoment(refusal) ? earlier : TE.right(null);
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

  /** `waited`: this request was there when the run failed, and shares its failure instead of asking again. */
  const follow = (holder: Holder, waited: boolean): Outcome =>
    pipe(
      keyed.run(holder.run_id),
      TE.chainW((run): Outcome => {
        if (run._tag === 'Answered') return answeredBefore(app, request, holder.run_id, run);
        if (run._tag === 'Failed') return waited && isShared(run) ? TE.left(asFailed(run)) : goFirst(holder.run_id);
        return isOverdue(app, inference, holder)
          ? takeOver(holder)
          : waitFor(app, inference, asked, holder, () => follow(holder, true));
      }),
    );

  /** Once more, for the run that has the key now, when the one that was to be followed was taken over. */
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
