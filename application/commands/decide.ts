import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { Decider } from '../../domain/kernel/decider.js';
import type { CommandContext } from './context.js';
import type { Failure, RevisionChanged } from '../failures.js';
import type { AnyEvent } from './fold.js';
import { inTurns } from './in-turns.js';
import type { EventStore } from '../ports/event-store.js';
import type { YieldIfBusy } from '../ports/event-loop.js';
import { isWritten } from './recent-events.js';
import type { Folded } from './cache.js';

/** Refuses what was asked for on the condition of another revision than the stream has. */
export const checkRevision = (if_revision: number | null, actual: number): E.Either<RevisionChanged, void> =>
  if_revision === null || if_revision === actual
    ? E.right(undefined)
    : E.left({ _tag: 'RevisionChanged', expected: if_revision, actual });

/** What a command makes happen: nothing, when it was carried out before. Others have their turn before it and after it, and between its parts. */
export const decisionOn = <Command, State, Event extends AnyEvent, Refusal>(
  store: EventStore,
  { decide, decideInParts }: Decider<Command, State, Event, Refusal>,
  yieldIfBusy: YieldIfBusy,
) => {
  const decided = (
    stream: string,
    { state, revision, recent = [] }: Folded<State>,
    command: Command,
    { if_revision, follows, event_id }: CommandContext,
  ): TE.TaskEither<Refusal | RevisionChanged | Failure, ReadonlyArray<Event>> =>
    pipe(
      checkRevision(if_revision, revision),
      TE.fromEither,
      TE.chainW(() =>
        decideInParts === undefined
          ? TE.fromEither(decide(command, state))
          : () => inTurns(yieldIfBusy, decideInParts(command, state)),
      ),
      TE.chainW((events) =>
        follows === null || events.length === 0
          ? TE.right(events)
          : pipe(
              isWritten(store, { stream, revision, recent }, { id: event_id(0), since: follows }),
              TE.map((written) => (written ? [] : events)),
            ),
      ),
    );
  return (...given: Parameters<typeof decided>): ReturnType<typeof decided> =>
    async () => {
      const before = yieldIfBusy();
      if (before !== null) await before;
      const decision = await decided(...given)();
      const after = yieldIfBusy();
      if (after !== null) await after;
      return decision;
    };
};
