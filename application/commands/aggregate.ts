import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { isErasing } from '../../domain/event-catalogue.js';
import type { Decider } from '../../domain/kernel/decider.js';
import type { Position, RecordedEvent } from '../../domain/kernel/recorded-event.js';
import { earlierAttempts, appendRecent } from './earlier-events.js';
import type { CommandContext } from './context.js';
import { type Decided, decisionMaker, metadataOf, newEvents } from './decide.js';
import type { Failure, RevisionChanged } from '../failures.js';
import type { AnyEvent } from './read-event.js';
import { foldStream } from './fold.js';
import { keyedQueue } from '../keyed-queue.js';
import type { EventStore } from '../ports/event-store.js';
import { type Snapshots, noSnapshots } from '../ports/snapshots.js';
import { type StoreNews, noNews } from '../ports/store-news.js';
import { type YieldIfBusy, neverYield } from '../ports/event-loop.js';
import { type FoldStarts, foldStarts } from './snapshots.js';
import { type Folded, type StreamCache, streamCache } from './cache.js';

export interface CommandResult<State, Event> extends Folded<State> {
  /** What the command made happen; empty when it changed nothing. */
  readonly recorded: ReadonlyArray<RecordedEvent<Event>>;
  /** The position of the last of these; null when there is none. */
  readonly position: Position | null;
}

/** One kind of aggregate, as use cases see it. */
export interface Aggregate<Command, State, Event, Refusal> {
  /** The state as the store holds it now. */
  readonly load: (id: string) => TE.TaskEither<Failure, Folded<State>>;
  /**
   * The state as this instance knows it, which may lack what another one wrote in the last moment; of the store where
   * nothing is known or the news is late. A refusal that comes of it is to be confirmed by `load`.
   */
  readonly cached: (id: string) => TE.TaskEither<Failure, Folded<State>>;
  readonly handle: (
    id: string,
    command: Command,
    context: CommandContext,
  ) => TE.TaskEither<Refusal | RevisionChanged | Failure, CommandResult<State, Event>>;
}

const attempts = 20;

type Result<State, Event, Refusal> = E.Either<Refusal | RevisionChanged | Failure, CommandResult<State, Event>>;

/** The end of a stream as the next decision sees it, while the events of the last one are not yet durable. */
interface Tail<State> {
  readonly folded: Folded<State>;
  /** Whether the events up to here were kept. */
  readonly kept: Promise<boolean>;
}

const unchanged = <State>(folded: Folded<State>): CommandResult<State, never> => ({
  ...folded,
  recorded: [],
  position: null,
});

const kept = <Command, State, Event extends AnyEvent>(
  { stream, folded, events, context }: Decided<Command, State, Event>,
  next: Folded<State>,
  position: Position,
): CommandResult<State, Event> => ({
  ...next,
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

/** Appends what was decided. `again` decides anew, when another writer was faster. */
const keeper =
  <Command, State, Event extends AnyEvent, Refusal>(
    store: EventStore,
    cache: StreamCache<State>,
    starts: FoldStarts<State>,
    tails: Map<string, Tail<State>>,
    yieldIfBusy: YieldIfBusy,
  ) =>
  async (
    decided: Decided<Command, State, Event>,
    { created, state }: ReturnType<typeof newEvents<Command, State, Event, Refusal>>,
    again: () => Promise<Result<State, Event, Refusal>>,
  ): Promise<Result<State, Event, Refusal>> => {
    const { stream, folded, events, context } = decided;
    const next = { state, revision: folded.revision + events.length };
    const withRecent = (position: Position | null): Folded<State> => ({
      ...next,
      recent: appendRecent(
        folded.recent ?? [],
        events.map((_, index) => ({ id: context.event_id(index), position })),
      ),
    });
    const appended = store.append(stream, folded.revision < 0 ? 'no_stream' : folded.revision, created)();
    const tail: Tail<State> = { folded: withRecent(null), kept: appended.then(E.isRight) };
    tails.set(stream, tail);
    const answer = await appended;
    if (E.isRight(answer)) {
      const cleared = cache.cleared();
      // What was written together goes on together: to weigh a large state takes a while.
      const turn = yieldIfBusy();
      if (turn !== null) await turn;
      const isNewest = (cache.get(stream)?.revision ?? -1) < next.revision;
      if (isNewest && cache.cleared() === cleared) {
        const known = withRecent(answer.right.position);
        cache.set(stream, known);
        starts.folded(stream, known);
      }
      if (tails.get(stream) === tail) tails.delete(stream);
      return E.right(kept(decided, next, answer.right.position));
    }
    cache.forget(stream);
    tails.delete(stream);
    if (answer.left._tag !== 'RevisionConflict') return E.left(answer.left);
    const isInLog = answer.left.actual === answer.left.expected && answer.left.other_history !== true;
    return isInLog ? E.right(unchanged(folded)) : again();
  };

/** What is known of the streams of one kind, and how to learn more, decide and write. */
interface Tools<Command, State, Event extends AnyEvent, Refusal> {
  readonly cache: StreamCache<State>;
  readonly tails: Map<string, Tail<State>>;
  readonly current: (stream: string) => TE.TaskEither<Failure, Folded<State>>;
  readonly decisionFor: ReturnType<typeof decisionMaker<Command, State, Event, Refusal>>;
  readonly findBefore: ReturnType<typeof earlierAttempts<Event>>;
  readonly keep: ReturnType<typeof keeper<Command, State, Event, Refusal>>;
  readonly decider: Decider<Command, State, Event, Refusal>;
  readonly yieldIfBusy: YieldIfBusy;
}

/** Decides commands, those of one stream one after the other, and decides again where another writer was faster. */
const handlerOf = <Command, State, Event extends AnyEvent, Refusal>({
  cache,
  tails,
  current,
  decisionFor,
  findBefore,
  keep,
  decider,
  yieldIfBusy,
}: Tools<Command, State, Event, Refusal>) => {
  const queue = keyedQueue();
  const handle = async (
    stream: string,
    command: Command,
    context: CommandContext,
    left: number,
  ): Promise<Result<State, Event, Refusal>> => {
    const again = (): Promise<Result<State, Event, Refusal>> =>
      left > 0
        ? handle(stream, command, context, left - 1)
        : Promise.resolve(E.left<Failure>({ _tag: 'Contention', stream }));
    /** Decides; what becomes of the decision is known later, except after a lost race: then all others wait for it. */
    const decide = async (): Promise<() => Promise<Result<State, Event, Refusal>>> => {
      const tail = tails.get(stream);
      const known = tail?.folded ?? (left === attempts ? cache.newest(stream) : undefined);
      const folded = known === undefined ? await current(stream)() : E.right(known);
      if (E.isLeft(folded)) return () => Promise.resolve(folded);
      const before = await findBefore(stream, folded.right.revision, context, left < attempts)();
      if (E.isLeft(before)) return () => Promise.resolve(before);
      const found = before.right;
      if (found !== null) return () => Promise.resolve(E.right({ ...folded.right, ...found }));
      const decision = await decisionFor(stream, folded.right, command, context)();
      if (E.isRight(decision) && decision.right.length > 0) {
        const decided = { stream, command, folded: folded.right, events: decision.right, context };
        const made = newEvents(decider, decided);
        const turn = yieldIfBusy();
        if (turn !== null) await turn;
        const outcome = keep(decided, made, again);
        if (left < attempts) await tails.get(stream)?.kept;
        return () => outcome;
      }
      const answer = E.map(() => unchanged(folded.right))(decision);
      if (tail !== undefined) return async () => ((await tail.kept) ? answer : again());
      const enough = known === undefined || (context.accepts_cached === true && E.isRight(answer));
      return enough ? () => Promise.resolve(answer) : again;
    };
    const outcome = await queue.run(stream, decide)();
    return outcome();
  };
  return handle;
};

/**
 * Serves the commands of one kind of aggregate: decides on the fold of the stream and appends at the revision that the
 * decision was made on. A fold that is known from before may be older than the stream: then the append is refused and
 * the command decided anew on what the store holds, and so is a decision that would append nothing. Commands of one
 * stream are decided one after the other, each on what the one before made happen, so that their events can become
 * durable together; none is answered before its own are, and those that it was decided on.
 */
export const aggregate = <Command, State, Event extends AnyEvent, Refusal>(
  store: EventStore,
  decider: Decider<Command, State, Event, Refusal>,
  isOwn: (event: AnyEvent) => event is Event,
  news: StoreNews = noNews,
  snapshots: Snapshots = noSnapshots,
  yieldIfBusy: YieldIfBusy = neverYield,
): Aggregate<Command, State, Event, Refusal> => {
  const cache = streamCache<State>(decider.weight ?? (() => 1));
  const tails = new Map<string, Tail<State>>();
  const starts = foldStarts(store, decider, snapshots);
  const current = foldStream(store, decider, isOwn, cache, starts);
  const keep = keeper<Command, State, Event, Refusal>(store, cache, starts, tails, yieldIfBusy);
  const decisionFor = decisionMaker(store, decider, yieldIfBusy);
  const findBefore = earlierAttempts(store, isOwn);
  const handle = handlerOf({ cache, tails, current, decisionFor, findBefore, keep, decider, yieldIfBusy });
  const prefix = `${decider.category}-`;
  const nameOf = (id: string): string => `${prefix}${id}`;
  news.onEvent(({ stream, revision, type }) => {
    if (isErasing(type)) cache.clear();
    if (stream.startsWith(prefix)) cache.grew(stream, revision);
  });

  return {
    load: (id) => current(nameOf(id)),
    cached: (id) => {
      const found = news.isLive() ? cache.newest(nameOf(id)) : undefined;
      return found === undefined ? current(nameOf(id)) : TE.right(found);
    },
    handle: (id, command, context) => () => handle(nameOf(id), command, context, attempts),
  };
};
