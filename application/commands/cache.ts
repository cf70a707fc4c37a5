import { lruCache } from '../lru-cache.js';
import type { RecentEvents } from './earlier-events.js';

export interface Folded<State> {
  readonly state: State;
  /** The revision of the last event folded; -1 before the first. */
  readonly revision: number;
  /** The newest events of the stream, if known. */
  readonly recent?: RecentEvents;
}

/** An LRU cache of folds, so that a command reads only the events after the last fold. */
export interface StreamCache<State> {
  readonly get: (stream: string) => Folded<State> | undefined;
  /** The fold, unless it is known to be out of date. */
  readonly getCurrent: (stream: string) => Folded<State> | undefined;
  readonly set: (stream: string, folded: Folded<State>) => void;
  readonly delete: (stream: string) => void;
  /** Removes all folds. */
  readonly clear: () => void;
  /** How often `clear` was called: a fold that was in progress meanwhile must not be cached. */
  readonly clears: () => number;
  /** Records that the stream has an event of this revision: an older fold is out of date. */
  readonly noteRevision: (stream: string, revision: number) => void;
}

/** The capacity, in folds of usual size. A large fold counts as several, at most a quarter of the capacity. */
const maxWeight = 1_000;
/** The number of streams whose newest revision is remembered: an event may arrive while its stream is being folded. */
const maxRevisions = 10_000;

interface Entry<State> {
  readonly folded: Folded<State>;
  readonly weight: number;
  isStale: boolean;
}

export const streamCache = <State>(weight: (state: State) => number): StreamCache<State> => {
  const sizeOf = (state: State): number => Math.min(Math.max(1, Math.round(weight(state))), maxWeight / 4);
  const cache = lruCache<Entry<State>>(maxWeight, ({ weight }) => weight);
  const revisions = lruCache<number>(maxRevisions);
  let clears = 0;
  return {
    get: (stream) => cache.get(stream)?.folded,
    getCurrent: (stream) => {
      const entry = cache.get(stream);
      return entry === undefined || entry.isStale ? undefined : entry.folded;
    },
    set: (stream, folded) => {
      const isStale = folded.revision < (revisions.get(stream) ?? -1);
      cache.set(stream, { folded, weight: sizeOf(folded.state), isStale });
    },
    delete: cache.delete,
    clear: () => {
      clears += 1;
      cache.clear();
    },
    clears: () => clears,
    noteRevision: (stream, revision) => {
      revisions.set(stream, Math.max(revision, revisions.get(stream) ?? -1));
      const entry = cache.peek(stream);
      if (entry !== undefined && entry.folded.revision < revision) entry.isStale = true;
    },
  };
};
