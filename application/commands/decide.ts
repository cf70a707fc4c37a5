import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { Decider } from '../../domain/kernel/decider.js';
import type { CommandContext } from './context.js';
import type { Failure, RevisionChanged } from '../failures.js';
import type { AnyEvent } from './read-event.js';
import type { EventStore, NewEvent } from '../ports/event-store.js';
import { isWritten } from './earlier-events.js';
import type { Folded } from './cache.js';
import { storedType, versionOf } from '../../domain/event-catalogue.js';
import type { Subject } from '../../domain/kernel/stream-name.js';
import { subjectsOf } from '../../domain/personal-data.js';
import type { EventMetadata } from '../../domain/kernel/recorded-event.js';

/** Fails unless the stream has the revision that the request demands; null demands none. */
export const checkRevision = (if_revision: number | null, actual: number): E.Either<RevisionChanged, void> =>
  if_revision === null || if_revision === actual
    ? E.right(undefined)
    : E.left({ _tag: 'RevisionChanged', expected: if_revision, actual });

/**
 * Decides commands: the events that a command causes, none when it was carried out before.
 */
export const decisionMaker =
  <Command, State, Event extends AnyEvent, Refusal>(
    store: EventStore,
    { decide }: Decider<Command, State, Event, Refusal>,
  ) =>
  (
    stream: string,
    { state, revision, recent = [] }: Folded<State>,
    command: Command,
    { if_revision, follows, event_id }: CommandContext,
  ): TE.TaskEither<Refusal | RevisionChanged | Failure, ReadonlyArray<Event>> =>
    pipe(
      checkRevision(if_revision, revision),
      TE.fromEither,
      TE.chainW(() => TE.fromEither(decide(command, state))),
      TE.chainW((events) =>
        follows === null || events.length === 0
          ? TE.right(events)
          : pipe(
              isWritten(store, { stream, revision, recent }, { id: event_id(0), since: follows }),
              TE.map((written) => (written ? [] : events)),
            ),
      ),
    );

/** The events that a command would append now. Writes nothing. */
export const dryRun = <Command, State, Event, Refusal>(
  to: { readonly load: (id: string) => TE.TaskEither<Failure, Folded<State>> },
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

export const metadataOf = (context: CommandContext, type: string): EventMetadata => ({
  actor: context.actor,
  correlation_id: context.correlation_id,
  causation_id: context.causation_id,
  schema_version: versionOf(type),
  recorded_at: context.at,
});

/** The n-th event of a command in the form of the store. `about`: persons or media in it beside the owner of the stream. */
export const toNewEvent = (
  { type, data }: AnyEvent,
  context: CommandContext,
  index: number,
  stream: string,
  about: ReadonlyArray<Subject> = [],
): NewEvent => ({
  id: context.event_id(index),
  type: storedType(type),
  data,
  metadata: { ...metadataOf(context, type) },
  subjects: subjectsOf(type, stream, about),
});

/** A decision to append events, with the fold that it was made on. */
export interface Decided<Command, State, Event> {
  readonly stream: string;
  readonly command: Command;
  readonly folded: Folded<State>;
  readonly events: ReadonlyArray<Event>;
  readonly context: CommandContext;
}

/** The decided events in the form of the store, and the state after them. */
export const newEvents = <Command, State, Event extends AnyEvent, Refusal>(
  { about = () => [], evolve }: Decider<Command, State, Event, Refusal>,
  { stream, command, folded, events, context }: Decided<Command, State, Event>,
): { readonly created: ReadonlyArray<NewEvent>; readonly state: State } => {
  let { state } = folded;
  const created = events.map((event, index) => {
    const next = toNewEvent(event, context, index, stream, about(state, event, command));
    state = evolve(state, event, folded.revision + 1 + index);
    return next;
  });
  return { created, state };
};
