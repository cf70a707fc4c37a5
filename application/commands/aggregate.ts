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
import { type EventStore, otherHistory } from '../ports/event-store.js';
import { type Snapshots, noSnapshots } from '../ports/snapshots.js';
import { type LiveFeed, noLiveFeed } from '../ports/live-feed.js';
import { type FoldStarts, foldStarts } from './snapshots.js';
import { type Folded, type StreamCache, streamCache } from './cache.js';

/** The state after a command, and the events that the command appended. */
export interface CommandResult<State, Event> extends Folded<State> {
  /** The appended events; empty when the command changed nothing. */
  readonly recorded: ReadonlyArray<RecordedEvent<Event>>;
  /** The position of the last appended event; null when there is none. */
  readonly position: Position | null;
}

/** One type of aggregate, as use cases see it. */
export interface Aggregate<Command, State, Event, Refusal> {
  /** The current state, read from the store. */
  readonly load: (id: string) => TE.TaskEither<Failure, Folded<State>>;
  /**
   * The cached state, which may lack what another instance has just written; read from the store where nothing is cached
   * or the feed of new events lags. A caller that would refuse a request on this state must confirm it with `load`.
   */
  readonly cached: (id: string) => TE.TaskEither<Failure, Folded<State>>;
  readonly handle: (
    id: string,
    command: Command,
    context: CommandContext,
  ) => TE.TaskEither<Refusal | RevisionChanged | Failure, CommandResult<State, Event>>;
}

const maxRetries = 20;

type Result<State, Event, Refusal> = E.Either<Refusal | RevisionChanged | Failure, CommandResult<State, Event>>;

/** The end of a stream that includes events which are being appended, for the next decision on the stream. */
interface Tail<State> {
  readonly folded: Folded<State>;
  /** Resolves with whether these events were appended. */
  readonly appended: Promise<boolean>;
}

const unchanged = <State>(folded: Folded<State>): CommandResult<State, never> => ({
  ...folded,
  recorded: [],
  position: null,
});

const resultOf = <Command, State, Event extends AnyEvent>(
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

/**
 * Appends the decided events. `before` is the pending append that the decision was made on: if that fails, another
 * instance's event may be at the expected revision. Calls `retry`, which decides again, on a revision conflict.
 */
const appender =
  <Command, State, Event extends AnyEvent, Refusal>(
    store: EventStore,
    cache: StreamCache<State>,
    starts: FoldStarts<State>,
    tails: Map<string, Tail<State>>,
  ) =>
  async (
    decided: Decided<Command, State, Event>,
    { created, state }: ReturnType<typeof newEvents<Command, State, Event, Refusal>>,
    before: Tail<State> | undefined,
    retry: () => Promise<Result<State, Event, Refusal>>,
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
    const expected = folded.revision < 0 ? 'no_stream' : folded.revision;
    const send = (): ReturnType<ReturnType<EventStore['append']>> => store.append(stream, expected, created)();
    const appending =
      before === undefined || store.ordersPendingAppends === true
        ? send()
        : before.appended.then((isAppended) => (isAppended ? send() : E.left(otherHistory(stream, expected))));
    const tail: Tail<State> = { folded: withRecent(null), appended: appending.then(E.isRight) };
    tails.set(stream, tail);
    const answer = await appending;
    if (E.isRight(answer)) {
      const isNewest = (cache.get(stream)?.revision ?? -1) < next.revision;
      if (isNewest) {
        const known = withRecent(answer.right.position);
        cache.set(stream, known);
        starts.onFolded(stream, known);
      }
      if (tails.get(stream) === tail) tails.delete(stream);
      return E.right(resultOf(decided, next, answer.right.position));
    }
    cache.delete(stream);
    tails.delete(stream);
    if (answer.left._tag !== 'RevisionConflict') return E.left(answer.left);
    const isInLog = answer.left.actual === answer.left.expected && answer.left.other_history !== true;
    return isInLog ? E.right(unchanged(folded)) : retry();
  };

/** The cache of one type of aggregate, and the steps of handling a command. */
interface Steps<Command, State, Event extends AnyEvent, Refusal> {
  readonly cache: StreamCache<State>;
  readonly tails: Map<string, Tail<State>>;
  readonly current: (stream: string) => TE.TaskEither<Failure, Folded<State>>;
  readonly decide: ReturnType<typeof decisionMaker<Command, State, Event, Refusal>>;
  readonly findEarlier: ReturnType<typeof earlierAttempts<Event>>;
  readonly append: ReturnType<typeof appender<Command, State, Event, Refusal>>;
  readonly decider: Decider<Command, State, Event, Refusal>;
}

/** Handles commands; those of one stream are decided one at a time, and again after a revision conflict. */
const handlerOf = <Command, State, Event extends AnyEvent, Refusal>({
  cache,
  tails,
  current,
  decide,
  findEarlier,
  append,
  decider,
}: Steps<Command, State, Event, Refusal>) => {
  const queue = keyedQueue();
  const handle = async (
    stream: string,
    command: Command,
    context: CommandContext,
    retriesLeft: number,
  ): Promise<Result<State, Event, Refusal>> => {
    const retry = (): Promise<Result<State, Event, Refusal>> =>
      retriesLeft > 0
        ? handle(stream, command, context, retriesLeft - 1)
        : Promise.resolve(E.left<Failure>({ _tag: 'Contention', stream }));
    /** Decides, and returns a function that waits for the outcome. A retry holds the queue until its append has completed. */
    const decideNext = async (): Promise<() => Promise<Result<State, Event, Refusal>>> => {
      const tail = tails.get(stream);
      const known = tail?.folded ?? (retriesLeft === maxRetries ? cache.getCurrent(stream) : undefined);
      const folded = known === undefined ? await current(stream)() : E.right(known);
      if (E.isLeft(folded)) return () => Promise.resolve(folded);
      const before = await findEarlier(stream, folded.right.revision, context, retriesLeft < maxRetries)();
      if (E.isLeft(before)) return () => Promise.resolve(before);
      const found = before.right;
      if (found !== null) return () => Promise.resolve(E.right({ ...folded.right, ...found }));
      const decision = await decide(stream, folded.right, command, context)();
      if (E.isRight(decision) && decision.right.length > 0) {
        const decided = { stream, command, folded: folded.right, events: decision.right, context };
        const made = newEvents(decider, decided);
        const outcome = append(decided, made, tail, retry);
        if (retriesLeft < maxRetries) await tails.get(stream)?.appended;
        return () => outcome;
      }
      const answer = E.map(() => unchanged(folded.right))(decision);
      if (tail !== undefined) return async () => ((await tail.appended) ? answer : retry());
      const enough = known === undefined || (context.accepts_cached === true && E.isRight(answer));
      return enough ? () => Promise.resolve(answer) : retry;
    };
    const outcome = await queue.run(stream, decideNext)();
    return outcome();
  };
  return handle;
};

/**
 * Handles the commands of one type of aggregate: folds the stream, decides, and appends at the revision on which it
 * decided. A cached fold may be older than the stream. The append then fails with a conflict, and the command is decided
 * again on the current state; so is a decision on a cached fold that appends nothing. Commands of one stream are decided
 * one at a time, each on the events of the previous one before these are durable, so that appends can be batched. A
 * command completes only when its own events, and those it was decided on, are durable.
 */
export const aggregate = <Command, State, Event extends AnyEvent, Refusal>(
  store: EventStore,
  decider: Decider<Command, State, Event, Refusal>,
  isOwn: (event: AnyEvent) => event is Event,
  liveFeed: LiveFeed = noLiveFeed,
  snapshots: Snapshots = noSnapshots,
): Aggregate<Command, State, Event, Refusal> => {
  const cache = streamCache<State>(decider.weight ?? (() => 1));
  const tails = new Map<string, Tail<State>>();
  const starts = foldStarts(store, decider, snapshots);
  const current = foldStream(store, decider, isOwn, cache, starts);
  const append = appender<Command, State, Event, Refusal>(store, cache, starts, tails);
  const decide = decisionMaker(store, decider);
  const findEarlier = earlierAttempts(store, isOwn);
  const handle = handlerOf({ cache, tails, current, decide, findEarlier, append, decider });
  const prefix = `${decider.category}-`;
  const streamOf = (id: string): string => `${prefix}${id}`;
  liveFeed.onEvent(({ stream, revision, type }) => {
    if (isErasing(type)) cache.clear();
    if (stream.startsWith(prefix)) cache.noteRevision(stream, revision);
  });

  return {
    load: (id) => current(streamOf(id)),
    cached: (id) => {
      const found = liveFeed.isLive() ? cache.getCurrent(streamOf(id)) : undefined;
      return found === undefined ? current(streamOf(id)) : TE.right(found);
    },
    handle: (id, command, context) => () => handle(streamOf(id), command, context, maxRetries),
  };
};
