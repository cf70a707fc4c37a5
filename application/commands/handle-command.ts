import * as E from 'fp-ts/lib/Either.js';
import * as T from 'fp-ts/lib/Task.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { constVoid, pipe } from 'fp-ts/lib/function.js';
import { LRUCache } from 'lru-cache';
import type { Decider } from '../../domain/kernel/decider.js';
import type { Position, RecordedEvent } from '../../domain/kernel/recorded-event.js';
import { type Failure, type RevisionChanged, keyMissing, unreadable } from '../failures.js';
import { keyedQueue } from '../keyed-queue.js';
import type { OnErasure } from '../ports/key-vault.js';
import type { EventStore, NewEvent, StoredEvent } from '../ports/event-store.js';
import { type Snapshots, noSnapshots } from '../ports/snapshots.js';
import { type CommandContext, metadataOf, toNewEvent } from './context.js';
import { type AnyEvent, eventsCausedBy, isWritten, readEvent } from './read-event.js';
import { type Fold, type Folded, foldStarts } from './snapshots.js';

/** The state after a command, and the events that the command appended. */
export interface CommandResult<State, Event> extends Folded<State> {
  /** The appended events; empty when the command changed nothing. */
  readonly recorded: ReadonlyArray<RecordedEvent<Event>>;
  /** The position of the last appended event; null when there is none. */
  readonly position: Position | null;
}

/** One type of aggregate, as use cases see it. */
export interface Aggregate<Command, State, Event, Refusal> {
  /** The current state, whichever instance wrote it. */
  readonly load: (id: string) => TE.TaskEither<Failure, Fold<State>>;
  readonly handle: (
    id: string,
    command: Command,
    context: CommandContext,
  ) => TE.TaskEither<Refusal | RevisionChanged | Failure, CommandResult<State, Event>>;
}

/** Fails unless the stream has the revision that the request demands; null demands none. */
export const checkRevision = (if_revision: number | null, actual: number): E.Either<RevisionChanged, void> =>
  if_revision === null || if_revision === actual
    ? E.right(undefined)
    : E.left({ _tag: 'RevisionChanged', expected: if_revision, actual });

/** The events that a command would append now. Writes nothing. */
export const dryRun = <Command, State, Event, Refusal>(
  to: { readonly load: (id: string) => TE.TaskEither<Failure, Folded<State>> },
  decider: Decider<Command, State, Event, Refusal>,
  id: string,
  command: Command,
  if_revision: number | null,
): TE.TaskEither<Refusal | RevisionChanged | Failure, ReadonlyArray<Event>> =>
  TE.chainEitherKW(({ state, revision }: Folded<State>) =>
    E.chainW(() => decider.decide(command, state))(checkRevision(if_revision, revision)),
  )(to.load(id));

/** The capacity of the cache: streams, and entries in the lists and maps of their states, as of 100 of the largest videos. */
const [maxStreams, maxEntries] = [2_000, 200_000];

/** How many entries the lists and maps of a state have, counting those of maps in maps. */
const entriesOf = (part: unknown): number => {
  if (typeof part !== 'object' || part === null) return 1;
  if (Array.isArray(part)) return part.length;
  if (part instanceof Set) return part.size;
  const values: ReadonlyArray<unknown> = part instanceof Map ? [...part.values()] : Object.values(part);
  return values.reduce<number>(
    (sum, value) => sum + (part instanceof Map && !(value instanceof Map) ? 1 : entriesOf(value)),
    1,
  );
};

const newCache = <State>(): LRUCache<string, Fold<State>> =>
  new LRUCache({ max: maxStreams, maxSize: maxEntries, sizeCalculation: ({ state }) => Math.max(1, entriesOf(state)) });

const pageSize = 500;
/** Limits what is decoded and folded at once: events may be large. */
const maxPageBytes = 500_000;

/** Folds a page of events of one category onto a state. */
const foldPage =
  <Command, State, Event extends AnyEvent, Refusal>(
    decider: Decider<Command, State, Event, Refusal>,
    isOwn: (event: AnyEvent) => event is Event,
  ) =>
  (from: Fold<State>, page: ReadonlyArray<StoredEvent>): E.Either<Failure, Fold<State>> => {
    let { state, revision, last } = from;
    for (const stored of page) {
      const read = readEvent(stored);
      if (E.isLeft(read)) return read;
      const { event } = read.right;
      if (isOwn(event)) state = decider.evolve(state, event, stored.revision);
      else if (event.type !== 'Withheld')
        return E.left(unreadable(stored, `${event.type} does not belong to this stream`));
      else if (event.data.why !== 'erased') return E.left(keyMissing(stored.stream));
      ({ revision } = stored);
      last = stored;
    }
    return E.right({ ...from, state, revision, last: last && { id: last.id, position: last.position } });
  };

/** A command, and where it is carried out. */
interface Given<Command> {
  readonly stream: string;
  readonly command: Command;
  readonly context: CommandContext;
}

/** The decided events in the form of the store, and the state after them. */
const newEvents = <Command, State, Event extends AnyEvent, Refusal>(
  { about = () => [], evolve }: Decider<Command, State, Event, Refusal>,
  { stream, command, context }: Given<Command>,
  from: Folded<State>,
  events: ReadonlyArray<Event>,
): { readonly created: ReadonlyArray<NewEvent>; readonly state: State } => {
  let { state } = from;
  const created = events.map((event, index) => {
    const next = toNewEvent(event, context, index, stream, about(state, event, command));
    state = evolve(state, event, from.revision + 1 + index);
    return next;
  });
  return { created, state };
};

interface EarlierAttempt<Event> {
  readonly recorded: ReadonlyArray<RecordedEvent<Event>>;
  /** Of the last of these. */
  readonly position: Position;
}

/**
 * Finds what an earlier attempt at the same command wrote, perhaps in another process. Null where it wrote nothing, or
 * where the command cannot have been attempted before.
 */
const earlierAttempts =
  <Event extends AnyEvent>(store: EventStore, isOwn: (event: AnyEvent) => event is Event) =>
  (
    stream: string,
    revision: number,
    { repeats, causation_id }: CommandContext,
    lostRace: boolean,
  ): TE.TaskEither<Failure, EarlierAttempt<Event> | null> => {
    if (repeats === undefined || !(repeats.taken_over || lostRace)) return TE.right(null);
    return pipe(
      eventsCausedBy(store, stream, revision, { causation_id, since: repeats.since, contiguous: true }),
      TE.map((events) => {
        const recorded = events.flatMap(({ event, ...place }) => (isOwn(event) ? [{ ...place, event }] : []));
        const position = recorded.at(-1)?.position ?? null;
        return position === null ? null : { recorded, position };
      }),
    );
  };

const unchanged = <State>({ state, revision }: Folded<State>): CommandResult<State, never> => ({
  state,
  revision,
  recorded: [],
  position: null,
});

/** The streams of one type of aggregate, with a cache of their states. */
interface Streams<State> {
  /** The cached state, which may lack what another instance has just written. */
  readonly cached: (stream: string) => Fold<State> | undefined;
  /** The current state: what follows the cached state, or else the newest snapshot, is read from the store. */
  readonly load: (stream: string) => Promise<E.Either<Failure, Fold<State>>>;
  /** Returns a function that caches a later state, unless data was erased in between. */
  readonly remembering: () => (stream: string, fold: Fold<State>) => void;
}

const cachedStreams = <Command, State, Event extends AnyEvent, Refusal>(
  store: EventStore,
  decider: Decider<Command, State, Event, Refusal>,
  isOwn: (event: AnyEvent) => event is Event,
  onErasure: OnErasure,
  snapshots: Snapshots,
): Streams<State> => {
  let cache = newCache<State>();
  onErasure(() => {
    cache = newCache();
  });
  const { startOf, saved } = foldStarts(store, decider, snapshots);
  const foldOn = foldPage(decider, isOwn);
  const remembering = (): ReturnType<Streams<State>['remembering']> => {
    const into = cache;
    return (stream, fold) => {
      const isOlder = fold.revision < (into.peek(stream)?.revision ?? 0);
      if (!isOlder) into.set(stream, saved(stream, fold));
    };
  };
  return {
    cached: (stream) => cache.get(stream),
    remembering,
    load: async (stream) => {
      const remember = remembering();
      const known = cache.get(stream);
      let fold = known === undefined ? await startOf(stream)() : E.right<Failure, Fold<State>>(known);
      for (let isAtEnd = false; E.isRight(fold) && !isAtEnd;) {
        const page = await store.read(stream, fold.right.revision, pageSize, maxPageBytes)();
        if (E.isLeft(page)) return page;
        isAtEnd = page.right.length === 0;
        if (!isAtEnd) fold = foldOn(fold.right, page.right);
      }
      if (E.isRight(fold)) remember(stream, fold.right);
      return fold;
    },
  };
};

/** The events that a command causes: none where it was carried out before. */
const decisionMaker =
  <Command, State, Event extends AnyEvent, Refusal>(
    store: EventStore,
    { decide }: Decider<Command, State, Event, Refusal>,
  ) =>
  async (
    { stream, command, context: { if_revision, follows, event_id } }: Given<Command>,
    { state, revision, last }: Fold<State>,
  ): Promise<E.Either<Refusal | RevisionChanged | Failure, ReadonlyArray<Event>>> => {
    const decided = E.chainW(() => decide(command, state))(checkRevision(if_revision, revision));
    if (E.isLeft(decided) || decided.right.length === 0 || follows === null) return decided;
    if (last === null || last.position <= follows) return decided;
    const written = await isWritten(store, stream, revision, { id: event_id(0), since: follows })();
    return E.map((isThere: boolean) => (isThere ? [] : decided.right))(written);
  };

type Result<State, Event, Refusal> = E.Either<Refusal | RevisionChanged | Failure, CommandResult<State, Event>>;

/** Appends decided events at the revision on which they were decided. Null: another event has this revision. */
const appender =
  <Command, State, Event extends AnyEvent, Refusal>(
    store: EventStore,
    decider: Decider<Command, State, Event, Refusal>,
    { remembering }: Streams<State>,
  ) =>
  async (
    given: Given<Command>,
    from: Fold<State>,
    events: ReadonlyArray<Event>,
  ): Promise<Result<State, Event, Refusal> | null> => {
    const { stream, context } = given;
    const { created, state } = newEvents(decider, given, from, events);
    const remember = remembering();
    const appended = await store.append(stream, from.revision < 0 ? 'no_stream' : from.revision, created)();
    if (E.isLeft(appended)) {
      if (appended.left._tag !== 'RevisionConflict') return E.left(appended.left);
      const isInLog = appended.left.actual === appended.left.expected;
      return isInLog ? E.right(unchanged(from)) : null;
    }
    const { position } = appended.right;
    const revision = from.revision + events.length;
    remember(stream, { ...from, state, revision, last: { id: context.event_id(events.length - 1), position } });
    const recorded = events.map((event, index) => ({
      position,
      stream,
      revision: from.revision + 1 + index,
      event_id: context.event_id(index),
      event,
      metadata: metadataOf(context, event.type),
    }));
    return E.right({ state, revision, recorded, position });
  };

/** Pauses before a command is decided again, in milliseconds: another instance may write one event after the other. */
const pauses = [0, 1, 2, 4, 8, 16, 32, ...Array<number>(20).fill(50)];

/**
 * Handles the commands of one type of aggregate, those of a stream one after the other: decides on the cached state, or
 * else folds the stream from its newest snapshot, and appends at the revision on which it decided. What another instance
 * wrote meanwhile is never missed: the append then fails with a conflict, and the command is decided again on the current
 * state. A decision on cached state that appends nothing is confirmed by reading what follows in the stream.
 */
export const aggregate = <Command, State, Event extends AnyEvent, Refusal>(
  store: EventStore,
  decider: Decider<Command, State, Event, Refusal>,
  isOwn: (event: AnyEvent) => event is Event,
  onErasure: OnErasure = constVoid,
  snapshots: Snapshots = noSnapshots,
): Aggregate<Command, State, Event, Refusal> => {
  const streams = cachedStreams(store, decider, isOwn, onErasure, snapshots);
  const findEarlier = earlierAttempts(store, isOwn);
  const decide = decisionMaker(store, decider);
  const append = appender(store, decider, streams);
  const queue = keyedQueue();

  const handle = async (given: Given<Command>, retries = 0): Promise<Result<State, Event, Refusal>> => {
    const { stream, context } = given;
    const again = async (): Promise<Result<State, Event, Refusal>> => {
      const pause = pauses[retries];
      if (pause === undefined) return E.left<Failure>({ _tag: 'Contention', stream });
      if (pause > 0) await T.delay(pause)(T.of(undefined))();
      return handle(given, retries + 1);
    };
    const cached = retries > 0 ? undefined : streams.cached(stream);
    const from = cached === undefined ? await streams.load(stream) : E.right(cached);
    if (E.isLeft(from)) return from;
    const earlier = await findEarlier(stream, from.right.revision, context, retries > 0)();
    if (E.isLeft(earlier)) return earlier;
    if (earlier.right !== null) return E.right({ ...unchanged(from.right), ...earlier.right });
    const decided = await decide(given, from.right);
    if (E.isRight(decided) && decided.right.length > 0)
      return (await append(given, from.right, decided.right)) ?? again();
    const answer = E.map(() => unchanged(from.right))(decided);
    if (cached === undefined) return answer;
    const current = await streams.load(stream);
    if (E.isLeft(current)) return current;
    return current.right.revision === cached.revision ? answer : again();
  };

  const streamOf = (id: string): string => `${decider.category}-${id}`;
  return {
    load: (id) => () => streams.load(streamOf(id)),
    handle: (id, command, context) => {
      const stream = streamOf(id);
      return queue.run(stream, () => handle({ stream, command, context }));
    },
  };
};
