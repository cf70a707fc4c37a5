import * as TE from 'fp-ts/lib/TaskEither.js';
import { type Failure, type RevisionChanged, isFailure } from './failures.js';

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
export const refusedFor =
  <Narrow extends Tagged>(isOfCommand: (refusal: Tagged) => refusal is Narrow) =>
  <Refusal extends Tagged, Done>(
    work: TE.TaskEither<Refusal | RevisionChanged | Failure, Done>,
  ): TE.TaskEither<Narrow | RevisionChanged | Failure, Done> =>
    TE.mapLeft((left: Refusal | RevisionChanged | Failure): Narrow | RevisionChanged | Failure => {
      if (isTechnical(left)) return left;
      if (isOfCommand(left)) return left;
      throw new Error(`a command was refused for ${left._tag}, which its contract does not declare`);
    })(work);
