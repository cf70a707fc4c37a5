import type { Tagged } from '../domain/kernel/decider.js';
import type { WithheldEvent } from '../domain/event-catalogue.js';
import type { MediumErased } from '../domain/kernel/erased.js';
import type { Position } from '../domain/kernel/recorded-event.js';
import type { AppendTooLarge, AppendUnreadable, StoreUnavailable } from './ports/event-store.js';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { constVoid, pipe } from 'fp-ts/lib/function.js';

/** A stored event that no codec accepts: the reader stops at it. */
export type UnreadableEvent = Tagged<
  'UnreadableEvent',
  { position: Position; stream: string; revision: number; reason: string }
>;

export const unreadable = (
  { position, stream, revision }: Pick<UnreadableEvent, 'position' | 'stream' | 'revision'>,
  reason: string,
): UnreadableEvent => ({ _tag: 'UnreadableEvent', position, stream, revision, reason });

/** The encryption key of a stream is missing. */
export const keyMissing = (stream: string): StoreUnavailable => ({
  _tag: 'StoreUnavailable',
  reason: `the key of ${stream} is missing`,
  because: 'key_missing',
});

/** The failure for an event whose data is withheld. */
export const withheld = (stream: string, { erased_at }: WithheldEvent['data']): StoreUnavailable | MediumErased =>
  erased_at === null ? keyMissing(stream) : { _tag: 'MediumErased', erased_at };

/** The command lost to other writers too many times. */
export type Contention = Tagged<'Contention', { stream: string }>;

/** The record does not have the revision in the client's `If-Match`. */
export type RevisionChanged = Tagged<'RevisionChanged', { expected: number; actual: number }>;

/** Technical failures: nothing was decided, or the decision could not be stored. */
type TechnicalFailure = StoreUnavailable | AppendTooLarge | AppendUnreadable | UnreadableEvent | Contention;

/** Why something cannot be read or written: a technical failure, or it was erased. */
export type Failure = TechnicalFailure | MediumErased;

/** Distinguishes technical failures from refusals. */
export const isFailure = (left: { readonly _tag: string }): left is TechnicalFailure =>
  left._tag === 'StoreUnavailable' ||
  left._tag === 'AppendTooLarge' ||
  left._tag === 'AppendUnreadable' ||
  left._tag === 'UnreadableEvent' ||
  left._tag === 'Contention';

/** The reason that a failure gives, or its tag if it gives none. */
export const reasonOf = (failure: Tagged): string =>
  'reason' in failure && typeof failure.reason === 'string' ? failure.reason : failure._tag;

/** Work of which a refusal means that nothing is left to do. A technical failure stays one. */
export const unlessRefused = (work: TE.TaskEither<Tagged, unknown>): TE.TaskEither<Failure, void> =>
  pipe(
    work,
    TE.map(constVoid),
    TE.orElse((left) => (isFailure(left) ? TE.left<Failure, void>(left) : TE.right(undefined))),
  );

/** The value of an answer; throws the reason of a failure. For long work that a failure ends. */
export const orThrow = <Value>(answer: E.Either<Tagged, Value>): Value => {
  if (E.isLeft(answer)) throw new Error(reasonOf(answer.left));
  return answer.right;
};

const isTechnical = <Refusal extends Tagged>(
  left: Refusal | RevisionChanged | Failure,
): left is Extract<Refusal | RevisionChanged | Failure, RevisionChanged | Failure> =>
  isFailure(left) || left._tag === 'RevisionChanged' || left._tag === 'MediumErased';

/**
 * Narrows the refusals of an aggregate to those that the contract declares for one command. Throws on any other refusal,
 * which would be a bug in the decider.
 */
export const narrowRefusal =
  <Narrow extends Tagged>(isDeclared: (refusal: Tagged) => refusal is Narrow) =>
  <Refusal extends Tagged, Done>(
    work: TE.TaskEither<Refusal | RevisionChanged | Failure, Done>,
  ): TE.TaskEither<Narrow | RevisionChanged | Failure, Done> =>
    TE.mapLeft((left: Refusal | RevisionChanged | Failure): Narrow | RevisionChanged | Failure => {
      if (isTechnical(left)) return left;
      if (isDeclared(left)) return left;
      throw new Error(`a command was refused with ${left._tag}, which its contract does not declare`);
    })(work);
