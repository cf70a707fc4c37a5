import type { WithheldEvent } from '../domain/event-catalogue.js';
import type { MediumErased } from '../domain/kernel/erased.js';
import type { Position } from '../domain/kernel/recorded-event.js';
import type { AppendTooLarge, AppendUnreadable, StoreUnavailable } from './ports/event-store.js';
import * as TE from 'fp-ts/lib/TaskEither.js';

/** A stored event that no codec reads: the reader stops at it. */
export interface UnreadableEvent {
  readonly _tag: 'UnreadableEvent';
  readonly position: Position;
  readonly stream: string;
  readonly revision: number;
  readonly reason: string;
}

export const unreadable = (
  { position, stream, revision }: Pick<UnreadableEvent, 'position' | 'stream' | 'revision'>,
  reason: string,
): UnreadableEvent => ({ _tag: 'UnreadableEvent', position, stream, revision, reason });

/** What a stream tells is sealed by a key that is not there. */
export const keyMissing = (stream: string): StoreUnavailable => ({
  _tag: 'StoreUnavailable',
  reason: `the key of ${stream} is missing`,
  because: 'key_missing',
});

/** Why an event of a stream cannot be read. */
export const withheld = (stream: string, { erased_at }: WithheldEvent['data']): StoreUnavailable | MediumErased =>
  erased_at === null ? keyMissing(stream) : { _tag: 'MediumErased', erased_at };

/** Other writers were faster, again and again. */
export interface Contention {
  readonly _tag: 'Contention';
  readonly stream: string;
}

/** The client wrote on the condition of a revision that the record no longer has. */
export interface RevisionChanged {
  readonly _tag: 'RevisionChanged';
  readonly expected: number;
  readonly actual: number;
}

/** Technical failures: nothing was decided, or the decision could not be kept. */
type TechnicalFailure = StoreUnavailable | AppendTooLarge | AppendUnreadable | UnreadableEvent | Contention;

/** What can keep anything from being read or written: a technical failure, or that it was erased. */
export type Failure = TechnicalFailure | MediumErased;

/** Tells a technical failure from a refusal. */
export const isFailure = (left: { readonly _tag: string }): left is TechnicalFailure =>
  left._tag === 'StoreUnavailable' ||
  left._tag === 'AppendTooLarge' ||
  left._tag === 'AppendUnreadable' ||
  left._tag === 'UnreadableEvent' ||
  left._tag === 'Contention';

interface Tagged {
  readonly _tag: string;
}

const isTechnical = <Refusal extends Tagged>(
  left: Refusal | RevisionChanged | Failure,
): left is Extract<Refusal | RevisionChanged | Failure, RevisionChanged | Failure> =>
  isFailure(left) || left._tag === 'RevisionChanged' || left._tag === 'MediumErased';

/**
 * Of all refusals of an aggregate those of one command, as its contract declares them: the compiler holds the decisions
 * to that. Rejects with another one, which would be a fault of a decider.
 */
export const narrowRefusal =
  <Narrow extends Tagged>(isOfCommand: (refusal: Tagged) => refusal is Narrow) =>
  <Refusal extends Tagged, Done>(
    work: TE.TaskEither<Refusal | RevisionChanged | Failure, Done>,
  ): TE.TaskEither<Narrow | RevisionChanged | Failure, Done> =>
    TE.mapLeft((left: Refusal | RevisionChanged | Failure): Narrow | RevisionChanged | Failure => {
      if (isTechnical(left)) return left;
      if (isOfCommand(left)) return left;
      throw new Error(`a command was refused for ${left._tag}, which its contract does not declare`);
    })(work);
