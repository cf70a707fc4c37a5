import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { Decider } from '../domain/kernel/decider.js';
import type { Position, RecordedEvent } from '../domain/kernel/recorded-event.js';
import type { CommandContext } from './command-context.js';
import type { Failure, RevisionChanged } from './failures.js';
import { type AnyEvent, foldStream } from './fold-stream.js';
import { lineUp } from './line-up.js';
import { metadataOf, toNewEvent } from './new-event.js';
import type { Appended, EventStore } from './ports/event-store.js';
import { type Folded, type StreamCache, streamCache } from './stream-cache.js';

export interface Handled<State, Event> extends Folded<State> {
  /** What the command made happen; empty when it changed nothing. */
  readonly recorded: ReadonlyArray<RecordedEvent<Event>>;
  /** The position of the last of these; null when there is none. */
  readonly position: Position | null;
}

/** One kind of aggregate, as use cases see it. */
export interface Aggregate<Command, State, Event, Refusal> {
  readonly load: (id: string) => TE.TaskEither<Failure, Folded<State>>;
  readonly handle: (
    id: string,
    command: Command,
    context: CommandContext,
  ) => TE.TaskEither<Refusal | RevisionChanged | Failure, Handled<State, Event>>;
}

const attempts = 20;

/** Refuses what was asked for on the condition of another revision than the stream has. */
export const checkRevision = (if_revision: number | null, actual: number): E.Either<RevisionChanged, void> =>
  if_revision === null || if_revision === actual
    ? E.right(undefined)
    : E.left({ _tag: 'RevisionChanged', expected: if_revision, actual });

type Outcome<State, Event, Refusal> = TE.TaskEither<Refusal | RevisionChanged | Failure, Handled<State, Event>>;

/** A decision that is to be kept, on the fold that it was made on. */
interface Decided<State, Event> {
  readonly stream: string;
  readonly folded: Folded<State>;
  readonly events: ReadonlyArray<Event>;
  readonly context: CommandContext;
}

const unchanged = <State>(folded: Folded<State>): Handled<State, never> => ({
  ...folded,
  recorded: [],
  position: null,
});

const kept = <State, Event extends AnyEvent>(
  { stream, folded, events, context }: Decided<State, Event>,
  evolve: (state: State, event: Event) => State,
  { revision, position }: Appended,
): Handled<State, Event> => ({
  state: events.reduce(evolve, folded.state),
  revision,
  recorded: events.map((event, index) => ({
    position,
    stream,
    revision: folded.revision + 1 + index,
    event_id: context.event_id(index),
    event,
    metadata: metadataOf(context, event.type),
  })),
  position,
});

type Append<State, Event, Refusal> = (
  decided: Decided<State, Event>,
  again: () => Outcome<State, Event, Refusal>,
) => Outcome<State, Event, Refusal>;

/** Appends; on a conflict decides again, unless nobody moved the stream: then these very events are in the log already. */
const appender =
  <State, Event extends AnyEvent, Refusal>(
    store: EventStore,
    cache: StreamCache<State>,
    evolve: (state: State, event: Event) => State,
  ): Append<State, Event, Refusal> =>
  (decided, again) => {
    const { stream, folded, events, context } = decided;
    return pipe(
      store.append(
        stream,
        folded.revision < 0 ? 'no_stream' : folded.revision,
        events.map((event, index) => toNewEvent(event, context, index)),
      ),
      TE.matchE(
        (failure): Outcome<State, Event, Refusal> => {
          cache.forget(stream);
          if (failure._tag === 'StoreUnavailable') return TE.left(failure);
          return failure.actual === failure.expected ? TE.right(unchanged(folded)) : again();
        },
        (appended): Outcome<State, Event, Refusal> => {
          const handled = kept(decided, evolve, appended);
          cache.set(stream, { state: handled.state, revision: handled.revision });
          return TE.right(handled);
        },
      ),
    );
  };

/**
 * Serves the commands of one kind of aggregate: folds the stream (from where it was last folded), decides, appends
 * at the revision that the decision was made on, and decides anew when another writer was faster. Commands of one
 * stream line up.
 */
export const aggregate = <Command, State, Event extends AnyEvent, Refusal>(
  store: EventStore,
  decider: Decider<Command, State, Event, Refusal>,
  isOwn: (event: AnyEvent) => event is Event,
): Aggregate<Command, State, Event, Refusal> => {
  const cache = streamCache<State>();
  const inLine = lineUp();
  const current = foldStream(store, decider, isOwn, cache);
  const append: Append<State, Event, Refusal> = appender(store, cache, decider.evolve);
  const nameOf = (id: string): string => `${decider.category}-${id}`;

  const attempt = (
    stream: string,
    command: Command,
    context: CommandContext,
    left: number,
  ): Outcome<State, Event, Refusal> =>
    pipe(
      current(stream),
      TE.chainW((folded) =>
        pipe(
          checkRevision(context.if_revision, folded.revision),
          E.chainW(() => decider.decide(command, folded.state)),
          TE.fromEither<Refusal | RevisionChanged | Failure, ReadonlyArray<Event>>,
          TE.chain((events) =>
            events.length === 0
              ? TE.right(unchanged(folded))
              : append({ stream, folded, events, context }, () =>
                  left > 0
                    ? attempt(stream, command, context, left - 1)
                    : TE.left<Failure>({ _tag: 'Contention', stream }),
                ),
          ),
        ),
      ),
    );

  return {
    load: (id) => current(nameOf(id)),
    handle: (id, command, context) => inLine(nameOf(id), attempt(nameOf(id), command, context, attempts)),
  };
};
