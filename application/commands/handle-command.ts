import * as E from 'fp-ts/lib/Either.js';
import * as T from 'fp-ts/lib/Task.js';
import type * as TE from 'fp-ts/lib/TaskEither.js';
import { constVoid } from 'fp-ts/lib/function.js';
import { LRUCache } from 'lru-cache';
import type { Decider } from '../../domain/kernel/decider.js';
import type { Position, RecordedEvent, Subject } from '../../domain/kernel/recorded-event.js';
import { type Failure, type RevisionChanged, keyMissing, unreadable } from '../failures.js';
import { keyedQueue } from '../queue-and-backoff.js';
import type { OnErasure } from '../ports/key-vault.js';
import type { EventStore, StoredEvent } from '../ports/event-store.js';
import { type Snapshots, noSnapshots } from '../ports/snapshots.js';
import { type CommandContext, metadataOf, toNewEvent } from './context.js';
import { type AnyEvent, earlierEvents, readEvent } from './read-event.js';

/** The state of a stream after one of its events. */
export interface Folded<State> {
  readonly state: State;
  /** The revision of the last event folded; -1 before the first. */
  readonly revision: number;
}

/** A fold of a stream from its first event. */
export interface Fold<State> extends Folded<State> {
  /** The last event folded; null before the first. */
  readonly last: Pick<StoredEvent, 'id' | 'position'> | null;
  /** The revision of the newest snapshot; -1 where there is none. */
  readonly snapshot_revision: number;
}

/** The state after a command, and the events that the command appended. */
export interface CommandResult<State, Event> extends Folded<State> {
  /** The appended events; empty when the command changed nothing. */
  readonly recorded: ReadonlyArray<RecordedEvent<Event>>;
  /** The position of the last appended event; null when there is none. */
  readonly position: Position | null;
}

/** One type of aggregate, as use cases see it. */
export interface Aggregate<Command, State, Event, Refusal> {
  readonly streamOf: (id: string) => string;
  /** The current state, whichever instance wrote it. With `revision`: of then or later, which need not be the current one. */
  readonly load: (id: string, revision?: number) => TE.TaskEither<Failure, Fold<State>>;
  readonly handle: (
    id: string,
    command: Command,
    context: CommandContext,
  ) => TE.TaskEither<Refusal | RevisionChanged | Failure, CommandResult<State, Event>>;
  /** The subjects that an event of a log concerns besides the owner of its stream, which has all earlier events. */
  readonly about: (id: string, event: AnyEvent) => TE.TaskEither<Failure, ReadonlyArray<Subject>>;
  /** The events that the command would append now. Writes nothing. */
  readonly dryRun: (
    id: string,
    command: Command,
    if_revision: number | null,
  ) => TE.TaskEither<Refusal | RevisionChanged | Failure, ReadonlyArray<Event>>;
}

/** Fails unless the stream has the revision that the request demands; null demands none. */
export const checkRevision = (if_revision: number | null, actual: number): E.Either<RevisionChanged, void> =>
  if_revision === null || if_revision === actual
    ? E.right(undefined)
    : E.left({ _tag: 'RevisionChanged', expected: if_revision, actual });

/** The capacity of the cache: streams, and about so many bytes of their states. One with 2,000 faces and tags takes 800 KB. */
const [maxStreams, maxBytes] = [2_000, 32_000_000];

/** About how many bytes a part of a state takes in memory. The items of a list are alike: what clients write is in maps. */
const bytesOf = (part: unknown): number => {
  if (typeof part === 'string') return 16 + part.length;
  if (typeof part !== 'object' || part === null) return 8;
  if (Array.isArray(part)) return 32 + part.length * bytesOf(part.at(-1));
  let bytes = 32;
  const add = (value: unknown): void => void (bytes += bytesOf(value));
  if (part instanceof Map || part instanceof Set) part.forEach(add);
  else Object.values(part).forEach(add);
  return bytes;
};

const newCache = <State>(): LRUCache<string, Fold<State>> =>
  new LRUCache({ max: maxStreams, maxSize: maxBytes, sizeCalculation: ({ state }) => bytesOf(state) });

/** A snapshot is saved after this number of events. */
const snapshotInterval = 1_000;
const pageSize = 500;
/** Limits what is decoded and folded at once: events may be large. */
const maxPageBytes = 500_000;

/** The states of the streams of one type of aggregate, with a cache. */
const cachedStreams = <Command, State, Event extends AnyEvent, Refusal>(
  store: EventStore,
  { initial, evolve, snapshot }: Decider<Command, State, Event, Refusal>,
  isOwn: (event: AnyEvent) => event is Event,
  onErasure: OnErasure,
  snapshots: Snapshots,
) => {
  type Loaded = E.Either<Failure, Fold<State>>;
  let cache = newCache<State>();
  onErasure(() => {
    cache = newCache();
  });

  /** The newest valid snapshot whose last event is in the stream; else the initial state. */
  const start = async (stream: string): Promise<Loaded> => {
    const beginning: Loaded = E.right({ state: initial, revision: -1, last: null, snapshot_revision: -1 });
    const found = snapshot === undefined ? null : await snapshots.load(stream)();
    if (snapshot === undefined || found === null || found.version !== snapshot.version) return beginning;
    const state = snapshot.codec.decode(found.state);
    if (E.isLeft(state)) return beginning;
    const { revision, event_id } = found;
    const read = await store.read(stream, revision - 1, 1)();
    if (E.isLeft(read)) return read;
    const [last] = read.right;
    return last?.id === event_id && last.revision === revision
      ? E.right({ state: state.right, revision, last, snapshot_revision: revision })
      : beginning;
  };

  const saved = (stream: string, fold: Fold<State>): Fold<State> => {
    const { state, revision, last, snapshot_revision } = fold;
    if (snapshot === undefined || last === null || revision - snapshot_revision < snapshotInterval) return fold;
    snapshots.save(stream, {
      version: snapshot.version,
      revision,
      event_id: last.id,
      state: snapshot.codec.encode(state),
    });
    return { ...fold, snapshot_revision: revision };
  };

  /** Returns a function that caches a later state, unless data was erased in between. */
  const remembering = (): ((stream: string, fold: Fold<State>) => void) => {
    const into = cache;
    return (stream, fold) => {
      if (fold.revision >= (into.peek(stream)?.revision ?? 0)) into.set(stream, saved(stream, fold));
    };
  };

  const foldPage = (from: Fold<State>, page: ReadonlyArray<StoredEvent>): Loaded => {
    let { state, revision, last } = from;
    for (const stored of page) {
      const read = readEvent(stored);
      if (E.isLeft(read)) return read;
      const { event } = read.right;
      if (isOwn(event)) state = evolve(state, event, stored.revision);
      else if (event.type !== 'Withheld')
        return E.left(unreadable(stored, `${event.type} does not belong to this stream`));
      else if (event.data.why !== 'erased') return E.left(keyMissing(stored.stream));
      ({ revision } = stored);
      last = { id: stored.id, position: stored.position };
    }
    return E.right({ ...from, state, revision, last });
  };

  return {
    /** The cached state, which may lack what another instance has just written. */
    cached: (stream: string): Fold<State> | undefined => cache.get(stream),
    remembering,
    /** The current state: what follows the cached state, or else the newest snapshot, is read from the store. */
    load: async (stream: string): Promise<Loaded> => {
      const remember = remembering();
      const known = cache.get(stream);
      let fold: Loaded = known === undefined ? await start(stream) : E.right(known);
      for (let isAtEnd = false; E.isRight(fold) && !isAtEnd;) {
        const page = await store.read(stream, fold.right.revision, pageSize, maxPageBytes)();
        if (E.isLeft(page)) return page;
        isAtEnd = page.right.length === 0;
        fold = foldPage(fold.right, page.right);
      }
      // An unchanged state is not measured again: that takes milliseconds if it is large.
      if (E.isRight(fold) && fold.right.revision !== known?.revision) remember(stream, fold.right);
      return fold;
    },
  };
};

/** A command, and where it is carried out. */
interface Given<Command> {
  readonly stream: string;
  readonly command: Command;
  readonly context: CommandContext;
}

const unchanged = <State>({ state, revision }: Folded<State>): CommandResult<State, never> => ({
  state,
  revision,
  recorded: [],
  position: null,
});

/** What an earlier attempt at the command wrote, perhaps in another process; null where it wrote nothing. */
const earlierAttempt = async <State, Event extends AnyEvent>(
  store: EventStore,
  isOwn: (event: AnyEvent) => event is Event,
  { stream, context: { since, event_id } }: Given<unknown>,
  from: Fold<State>,
): Promise<E.Either<Failure, CommandResult<State, Event> | null>> => {
  if (since === null || from.last === null || from.last.position <= since) return E.right(null);
  return E.map((events: ReadonlyArray<RecordedEvent<AnyEvent>>) => {
    const recorded = events.flatMap(({ event, ...place }) => (isOwn(event) ? [{ ...place, event }] : []));
    const last = recorded.at(-1);
    return last === undefined ? null : { ...unchanged(from), recorded, position: last.position };
  })(await earlierEvents(store, stream, from.revision, since, event_id));
};

/** Appends events at the revision on which they were decided. Null: another event has this revision. */
const appended = async <Command, State, Event extends AnyEvent, Refusal>(
  store: EventStore,
  { evolve, about = () => [] }: Decider<Command, State, Event, Refusal>,
  { stream, command, context }: Given<Command>,
  from: Fold<State>,
  events: ReadonlyArray<Event>,
): Promise<E.Either<Failure, CommandResult<State, Event>> | null> => {
  let { state, revision } = from;
  const created = events.map((event, index) => {
    const next = toNewEvent(event, context, index, stream, about(state, event, command));
    revision += 1;
    state = evolve(state, event, revision);
    return next;
  });
  const outcome = await store.append(stream, from.revision < 0 ? 'no_stream' : from.revision, created)();
  if (E.isLeft(outcome)) return outcome.left._tag === 'RevisionConflict' ? null : E.left(outcome.left);
  const { position } = outcome.right;
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

/** Pauses before a command is decided, and decided again, in milliseconds: another instance may write one event after the other. */
const pauses = [0, 0, 1, 2, 4, 8, 16, 32, ...Array<number>(20).fill(50)];

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
  type Result = E.Either<Refusal | RevisionChanged | Failure, CommandResult<State, Event>>;
  const streams = cachedStreams(store, decider, isOwn, onErasure, snapshots);
  const queue = keyedQueue();

  const decide = (command: Command, if_revision: number | null, { state, revision }: Fold<State>) =>
    E.chainW(() => decider.decide(command, state))(checkRevision(if_revision, revision));

  const handle = async (given: Given<Command>): Promise<Result> => {
    const { stream, command, context } = given;
    for (const [retries, pause] of pauses.entries()) {
      if (pause > 0) await T.delay(pause)(T.of(undefined))();
      const cached = retries > 0 ? undefined : streams.cached(stream);
      const from = cached === undefined ? await streams.load(stream) : E.right(cached);
      if (E.isLeft(from)) return from;
      const earlier = await earlierAttempt(store, isOwn, given, from.right);
      if (E.isLeft(earlier)) return earlier;
      if (earlier.right !== null) return E.right(earlier.right);
      const events = decide(command, context.if_revision, from.right);
      if (E.isLeft(events) || events.right.length === 0) {
        const current = cached === undefined ? from : await streams.load(stream);
        if (E.isLeft(current)) return current;
        if (current.right.revision !== from.right.revision) continue;
        return E.map(() => unchanged(from.right))(events);
      }
      const remember = streams.remembering();
      const done = await appended(store, decider, given, from.right, events.right);
      if (done === null) continue;
      if (E.isRight(done) && done.right.position !== null) {
        const { state, revision, position } = done.right;
        const last = { id: context.event_id(events.right.length - 1), position };
        remember(stream, { ...from.right, state, revision, last });
      }
      return done;
    }
    return E.left<Failure>({ _tag: 'Contention', stream });
  };

  const streamOf = (id: string): string => `${decider.category}-${id}`;
  return {
    streamOf,
    load:
      (id, revision = Infinity) =>
      async () => {
        const known = streams.cached(streamOf(id));
        return known !== undefined && known.revision >= revision ? E.right(known) : streams.load(streamOf(id));
      },
    about: (id, event) => async () =>
      E.map(({ state }: Fold<State>) => (isOwn(event) ? (decider.about?.(state, event, null) ?? []) : []))(
        await streams.load(streamOf(id)),
      ),
    handle: (id, command, context) => queue.run(streamOf(id), () => handle({ stream: streamOf(id), command, context })),
    dryRun: (id, command, if_revision) => async () =>
      E.chainW((fold: Fold<State>) => decide(command, if_revision, fold))(await streams.load(streamOf(id))),
  };
};
