import { LRUCache } from 'lru-cache';
import type { RecentEvents } from './recent-events.js';

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
  readonly set: (stream: string, folded: Folded<State>) => void;
  readonly forget: (stream: string) => void;
}

/** How many usual streams are remembered; a heavy one takes the place of many, and none of more than a quarter. */
const recentStreams = 1_000;

export const streamCache = <State>(weight: (state: State) => number): StreamCache<State> => {
  const sizeOf = (state: State): number => Math.min(Math.max(1, Math.round(weight(state))), recentStreams / 4);
  const cache = new LRUCache<string, Folded<State>>({
    maxSize: recentStreams,
    sizeCalculation: ({ state }) => sizeOf(state),
  });
  return {
    get: (stream) => cache.get(stream),
    set: (stream, folded) => void cache.set(stream, folded),
    forget: (stream) => void cache.delete(stream),
  };
};
