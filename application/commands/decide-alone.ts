import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { Decider } from '../../domain/kernel/decider.js';
import type { Failure, RevisionChanged } from '../failures.js';
import { checkRevision } from './decide.js';
import type { Aggregate } from './aggregate.js';

/** What a command would make happen now; nothing is written. */
export const decideAlone = <Command, State, Event, Refusal>(
  to: Pick<Aggregate<Command, State, Event, Refusal>, 'load'>,
  decider: Decider<Command, State, Event, Refusal>,
  id: string,
  command: Command,
  if_revision: number | null,
): TE.TaskEither<Refusal | RevisionChanged | Failure, ReadonlyArray<Event>> =>
  pipe(
    to.load(id),
    TE.chainW(({ state, revision }) =>
      pipe(
        checkRevision(if_revision, revision),
        E.chainW(() => decider.decide(command, state)),
        TE.fromEither,
      ),
    ),
  );
