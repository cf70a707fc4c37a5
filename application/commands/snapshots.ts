import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { Decider } from '../../domain/kernel/decider.js';
import type { Failure } from '../failures.js';
import { lruCache } from '../lru-cache.js';
import type { EventStore } from '../ports/event-store.js';
import type { Snapshots } from '../ports/snapshots.js';
import type { Folded } from './cache.js';

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
