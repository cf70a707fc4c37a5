import { lruCache } from '../lru-cache.js';
import type { RecentEvents } from './earlier-events.js';

export interface Folded<State> {
  readonly state: State;
  /** The revision of the last event folded; -1 before the first. */
  readonly revision: number;
  /** The newest events; absent when none are remembered. */
  readonly recent?: RecentEvents;
}

/** Folds of recently used streams, so that a command reads only what followed. */
export interface StreamCache<State> {
  readonly get: (stream: string) => Folded<State> | undefined;
  /** A fold that no event is known to have followed. */
  readonly newest: (stream: string) => Folded<State> | undefined;
  readonly set: (stream: string, folded: Folded<State>) => void;
  readonly forget: (stream: string) => void;
  /** Forgets every fold. */
  readonly clear: () => void;
  /** ReadMode often it has: what was being folded meanwhile is not to be remembered. */
  readonly cleared: () => number;
  /** Told that a stream has an event of this revision. */
  readonly grew: (stream: string, revision: number) => void;
}

/** ReadMode many usual streams are remembered; a heavy one takes the place of many, and none of more than a quarter. */
const recentStreams = 1_000;
/** For so many streams the newest revision is remembered, for a fold that was on its way when the event came. */
const recentRevisions = 10_000;

interface Entry<State> {
  readonly folded: Folded<State>;
  readonly weight: number;
  behind: boolean;
}

export const streamCache = <State>(weight: (state: State) => number): StreamCache<State> => {
  const sizeOf = (state: State): number => Math.min(Math.max(1, Math.round(weight(state))), recentStreams / 4);
  const cache = lruCache<Entry<State>>(recentStreams, ({ weight }) => weight);
  const revisions = lruCache<number>(recentRevisions);
  let cleared = 0;
  return {
    get: (stream) => cache.get(stream)?.folded,
    newest: (stream) => {
      const entry = cache.get(stream);
      return entry === undefined || entry.behind ? undefined : entry.folded;
    },
    set: (stream, folded) => {
      const behind = folded.revision < (revisions.get(stream) ?? -1);
      cache.set(stream, { folded, weight: sizeOf(folded.state), behind });
    },
    forget: cache.delete,
    clear: () => {
      cleared += 1;
      cache.clear();
    },
    cleared: () => cleared,
    grew: (stream, revision) => {
      revisions.set(stream, Math.max(revision, revisions.get(stream) ?? -1));
      const entry = cache.peek(stream);
      if (entry !== undefined && entry.folded.revision < revision) entry.behind = true;
    },
  };
};
