import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { Decider } from '../../domain/kernel/decider.js';
import type { Failure } from '../failures.js';
import { lruCache } from '../lru-cache.js';
import type { EventStore } from '../ports/event-store.js';
import type { Snapshots } from '../ports/snapshots.js';
import type { Folded } from './cache.js';
import { creditAccountEvents } from '../../domain/credit-account/contract.js';
import { creditAccount } from '../../domain/credit-account/decider.js';
import type { DomainEvent } from '../../domain/event-catalogue.js';
import { isEventOf } from '../../domain/kernel/event-codecs.js';
import type { RecordedEvent } from '../../domain/kernel/recorded-event.js';
import { streamCategory } from '../../domain/kernel/stream-name.js';
import { realtimeCapacityEvents } from '../../domain/realtime-capacity/contract.js';
import { realtimeCapacity } from '../../domain/realtime-capacity/decider.js';
import type { AnyEvent } from './read-event.js';

/** Where the folds of one kind of streams begin, and what is kept of them. */
export interface FoldStarts<State> {
  /** The newest snapshot whose last event the stream has; else the state before the first event. */
  readonly startOf: (stream: string) => TE.TaskEither<Failure, Folded<State>>;
  /** Told of each fold; now and then it is kept. */
  readonly folded: (stream: string, folded: Folded<State>) => void;
}

/** A snapshot is made after so many events. */
const eventsBetween = 1_000;
const streamsRemembered = 10_000;

/** Streams of which no snapshots are made begin with their first event. */
export const foldStarts = <Command, State, Event, Refusal>(
  store: EventStore,
  { initial, snapshot }: Decider<Command, State, Event, Refusal>,
  { load, save }: Snapshots,
): FoldStarts<State> => {
  const beginning: Folded<State> = { state: initial, revision: -1 };
  if (snapshot === undefined) return { startOf: () => TE.right(beginning), folded: () => undefined };
  const { version, codec } = snapshot;
  const kept = lruCache<number>(streamsRemembered);
  return {
    startOf: (stream) =>
      pipe(
        TE.fromTask(load(stream)),
        TE.chain((found): TE.TaskEither<Failure, Folded<State>> => {
          if (found === null || found.version !== version) return TE.right(beginning);
          const state = codec.decode(found.state);
          if (E.isLeft(state)) return TE.right(beginning);
          const { revision, event_id } = found;
          return pipe(
            store.read(stream, revision - 1, 1),
            TE.map(([event]) => {
              if (event?.id !== event_id || event.revision !== revision) return beginning;
              kept.set(stream, revision);
              return { state: state.right, revision, recent: [event] };
            }),
          );
        }),
      ),
    folded: (stream, { state, revision, recent }) => {
      const newest = recent?.at(-1);
      if (revision - (kept.get(stream) ?? -1) < eventsBetween || newest === undefined) return;
      kept.set(stream, revision);
      save(stream, { version, revision, event_id: newest.id, state: codec.encode(state) });
    },
  };
};

/** Snapshots of the streams of a log that is read from its first event. */
export interface SnapshotsOfLog {
  /** Those of other streams are ignored. */
  readonly categories: ReadonlySet<string>;
  /** Takes the next event of one of the categories. */
  readonly add: (recorded: RecordedEvent<DomainEvent>) => void;
  /** Keeps a snapshot of each stream as it is now, one at each step. */
  readonly keepAll: () => Iterable<void>;
}

/** A stream of fewer events is read faster than a snapshot is of use. */
const leastEvents = 250;
/** So many usual states are in memory at a time. */
const room = 1_000;

interface Fold<State> {
  readonly state: State;
  readonly revision: number;
  readonly event_id: string;
}

/** Of streams of one kind. */
const makerOf = <Command, State, Event extends AnyEvent, Refusal>(
  { initial, evolve, weight, snapshot }: Decider<Command, State, Event, Refusal>,
  isOwn: (event: AnyEvent) => event is Event,
  save: Snapshots['save'],
): Omit<SnapshotsOfLog, 'categories'> => {
  const isLong = ({ revision }: Fold<State>): boolean => revision + 1 >= leastEvents;
  const keep = (stream: string, fold: Fold<State>): void => {
    if (snapshot === undefined || !isLong(fold)) return;
    const { state, ...end } = fold;
    save(stream, { version: snapshot.version, ...end, state: snapshot.codec.encode(state) });
  };
  const folds = lruCache<Fold<State>>(room, ({ state }) => weight?.(state) ?? 1, keep);
  return {
    add: ({ stream, revision, event_id, event }) => {
      const before = revision === 0 ? { state: initial, revision: -1 } : folds.get(stream);
      // A stream that had to make room is not taken up again: its snapshot is where a command begins.
      if (before === undefined) return;
      if (before.revision !== revision - 1 || !isOwn(event)) return folds.delete(stream);
      folds.set(stream, { state: evolve(before.state, event), revision, event_id });
    },
    *keepAll() {
      for (const [stream, fold] of folds.entries()) if (isLong(fold)) yield keep(stream, fold);
    },
  };
};

/** Makes snapshots of the streams that grow for ever, while somebody reads the log from its first event. */
export const snapshotsOfLog = (save: Snapshots['save']): SnapshotsOfLog => {
  const makers = new Map([
    [creditAccount.category, makerOf(creditAccount, isEventOf(creditAccountEvents), save)],
    [realtimeCapacity.category, makerOf(realtimeCapacity, isEventOf(realtimeCapacityEvents), save)],
  ]);
  return {
    categories: new Set(makers.keys()),
    add: (recorded) => makers.get(streamCategory(recorded.stream))?.add(recorded),
    *keepAll() {
      for (const maker of makers.values()) yield* maker.keepAll();
    },
  };
};
