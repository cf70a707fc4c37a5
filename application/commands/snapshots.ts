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

/** The snapshots of one category of streams: where folds start, and when a new snapshot is saved. */
export interface FoldStarts<State> {
  /** The newest valid snapshot whose last event is in the stream; else the initial state. */
  readonly startOf: (stream: string) => TE.TaskEither<Failure, Folded<State>>;
  /** Called after each fold; saves a snapshot from time to time. */
  readonly onFolded: (stream: string, folded: Folded<State>) => void;
}

/** A snapshot is saved after this number of events. */
const snapshotInterval = 1_000;
const maxStreams = 10_000;

/** Streams without snapshots are folded from their first event. */
export const foldStarts = <Command, State, Event, Refusal>(
  store: EventStore,
  { initial, snapshot }: Decider<Command, State, Event, Refusal>,
  { load, save }: Snapshots,
): FoldStarts<State> => {
  const beginning: Folded<State> = { state: initial, revision: -1 };
  if (snapshot === undefined) return { startOf: () => TE.right(beginning), onFolded: () => undefined };
  const { version, codec } = snapshot;
  const saved = lruCache<number>(maxStreams);
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
              saved.set(stream, revision);
              return { state: state.right, revision, recent: [event] };
            }),
          );
        }),
      ),
    onFolded: (stream, { state, revision, recent }) => {
      const newest = recent?.at(-1);
      if (revision - (saved.get(stream) ?? -1) < snapshotInterval || newest === undefined) return;
      saved.set(stream, revision);
      save(stream, { version, revision, event_id: newest.id, state: codec.encode(state) });
    },
  };
};

/** Collects snapshots while somebody reads the log from its first event. */
export interface SnapshotCollector {
  /** Streams of other categories have no snapshots. */
  readonly categories: ReadonlySet<string>;
  /** Folds the next event, which must be of one of the categories. */
  readonly add: (recorded: RecordedEvent<DomainEvent>) => void;
  /** Saves a snapshot of each stream, one per step. */
  readonly saveAll: () => Iterable<void>;
}

/** Shorter streams need no snapshot. */
const minEvents = 250;
/** The capacity in memory, in states of usual size. */
const maxWeight = 1_000;

interface Fold<State> {
  readonly state: State;
  readonly revision: number;
  readonly event_id: string;
}

/** For one category of streams. */
const collectorOf = <Command, State, Event extends AnyEvent, Refusal>(
  { initial, evolve, weight, snapshot }: Decider<Command, State, Event, Refusal>,
  isOwn: (event: AnyEvent) => event is Event,
  save: Snapshots['save'],
): Omit<SnapshotCollector, 'categories'> => {
  const isLong = ({ revision }: Fold<State>): boolean => revision + 1 >= minEvents;
  const saveFold = (stream: string, fold: Fold<State>): void => {
    if (snapshot === undefined || !isLong(fold)) return;
    const { state, ...end } = fold;
    save(stream, { version: snapshot.version, ...end, state: snapshot.codec.encode(state) });
  };
  const folds = lruCache<Fold<State>>(maxWeight, ({ state }) => weight?.(state) ?? 1, saveFold);
  return {
    add: ({ stream, revision, event_id, event }) => {
      const before = revision === 0 ? { state: initial, revision: -1 } : folds.get(stream);
      // A stream that was evicted is not folded further: its snapshot was saved when it was evicted.
      if (before === undefined) return;
      if (before.revision !== revision - 1 || !isOwn(event)) return folds.delete(stream);
      folds.set(stream, { state: evolve(before.state, event, revision), revision, event_id });
    },
    *saveAll() {
      for (const [stream, fold] of folds.entries()) if (isLong(fold)) yield saveFold(stream, fold);
    },
  };
};

/** Collects snapshots of the streams that grow without limit. */
export const collectSnapshots = (save: Snapshots['save']): SnapshotCollector => {
  const collectors = new Map([
    [creditAccount.category, collectorOf(creditAccount, isEventOf(creditAccountEvents), save)],
    [realtimeCapacity.category, collectorOf(realtimeCapacity, isEventOf(realtimeCapacityEvents), save)],
  ]);
  return {
    categories: new Set(collectors.keys()),
    add: (recorded) => collectors.get(streamCategory(recorded.stream))?.add(recorded),
    *saveAll() {
      for (const collector of collectors.values()) yield* collector.saveAll();
    },
  };
};
