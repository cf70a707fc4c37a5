import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import { LRUCache } from 'lru-cache';
import { creditAccountEvents } from '../../domain/credit-account/contract.js';
import { creditAccount } from '../../domain/credit-account/decider.js';
import type { DomainEvent } from '../../domain/event-catalogue.js';
import type { Decider } from '../../domain/kernel/decider.js';
import { type RecordedEvent, isEventOf, streamCategory } from '../../domain/kernel/recorded-event.js';
import { realtimeCapacityEvents } from '../../domain/realtime-capacity/contract.js';
import { realtimeCapacity } from '../../domain/realtime-capacity/decider.js';
import type { Failure } from '../failures.js';
import type { EventStore, StoredEvent } from '../ports/event-store.js';
import type { Snapshots } from '../ports/snapshots.js';
import type { AnyEvent } from './read-event.js';

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

/** The snapshots of one category of streams. Streams without snapshots are folded from their first event. */
export interface FoldStarts<State> {
  /** The newest valid snapshot whose last event is in the stream; else the initial state. */
  readonly startOf: (stream: string) => TE.TaskEither<Failure, Fold<State>>;
  /** Saves a snapshot if the last one is old. */
  readonly saved: (stream: string, fold: Fold<State>) => Fold<State>;
}

/** A snapshot is saved after this number of events. */
const snapshotInterval = 1_000;

export const foldStarts = <Command, State, Event, Refusal>(
  store: EventStore,
  { initial, snapshot }: Decider<Command, State, Event, Refusal>,
  { load, save }: Snapshots,
): FoldStarts<State> => {
  const beginning: Fold<State> = { state: initial, revision: -1, last: null, snapshot_revision: -1 };
  if (snapshot === undefined) return { startOf: () => TE.right(beginning), saved: (_, fold) => fold };
  const { version, codec } = snapshot;
  return {
    startOf: (stream) =>
      pipe(
        TE.fromTask(load(stream)),
        TE.chain((found): TE.TaskEither<Failure, Fold<State>> => {
          if (found === null || found.version !== version) return TE.right(beginning);
          const state = codec.decode(found.state);
          if (E.isLeft(state)) return TE.right(beginning);
          const { revision, event_id } = found;
          return pipe(
            store.read(stream, revision - 1, 1),
            TE.map(([last]) =>
              last?.id === event_id && last.revision === revision
                ? { state: state.right, revision, last, snapshot_revision: revision }
                : beginning,
            ),
          );
        }),
      ),
    saved: (stream, fold) => {
      const { state, revision, last, snapshot_revision } = fold;
      if (last === null || revision - snapshot_revision < snapshotInterval) return fold;
      save(stream, { version, revision, event_id: last.id, state: codec.encode(state) });
      return { ...fold, snapshot_revision: revision };
    },
  };
};

/** Collects snapshots while somebody reads the log from its first event. */
export interface SnapshotCollector {
  /** Streams of other categories have no snapshots. */
  readonly categories: ReadonlySet<string>;
  /** Folds the next event, which must be of one of the categories. */
  readonly add: (recorded: RecordedEvent<DomainEvent>) => void;
  /** Saves a snapshot of each long stream. */
  readonly saveAll: () => void;
}

/** Shorter streams need no snapshot. */
const minEvents = 250;
/** The number of streams that are folded at once. */
const maxStreams = 1_000;

interface Collected<State> extends Folded<State> {
  readonly event_id: string;
}

/** For one category of streams. */
const collectorOf = <Command, State, Event extends AnyEvent, Refusal>(
  { initial, evolve, snapshot }: Decider<Command, State, Event, Refusal>,
  isOwn: (event: AnyEvent) => event is Event,
  save: Snapshots['save'],
): Omit<SnapshotCollector, 'categories'> => {
  const saveFold = ({ state, ...end }: Collected<State>, stream: string): void => {
    if (snapshot === undefined || end.revision + 1 < minEvents) return;
    save(stream, { version: snapshot.version, ...end, state: snapshot.codec.encode(state) });
  };
  const folds = new LRUCache<string, Collected<State>>({
    max: maxStreams,
    dispose: (fold, stream, reason) => {
      if (reason === 'evict') saveFold(fold, stream);
    },
  });
  return {
    add: ({ stream, revision, event_id, event }) => {
      const before = revision === 0 ? { state: initial, revision: -1 } : folds.get(stream);
      // A stream that was evicted is not folded further: its snapshot was saved when it was evicted.
      if (before === undefined) return;
      if (before.revision !== revision - 1 || !isOwn(event)) folds.delete(stream);
      else folds.set(stream, { state: evolve(before.state, event, revision), revision, event_id });
    },
    saveAll: () => folds.forEach(saveFold),
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
    saveAll: () => collectors.forEach(({ saveAll }) => saveAll()),
  };
};
