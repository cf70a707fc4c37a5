import type { Viewport } from './viewport.js';

/** The intervals of one lane by start time, in typed arrays because there may be hundreds of thousands. */
export interface Spans {
  readonly starts: Float64Array;
  readonly ends: Float64Array;
  /** The score of each interval, 0 to 1; all 1 if there are no scores. */
  readonly weights: Float64Array;
  /** The length of the longest interval: a visible interval cannot have begun earlier than this before the view. */
  readonly longest: number;
}

interface Interval {
  readonly start: number;
  readonly end: number;
  readonly score?: number;
}

export const spansOf = (intervals: ReadonlyArray<Interval>): Spans => {
  const sorted = [...intervals].sort((a, b) => a.start - b.start);
  return {
    starts: Float64Array.from(sorted, ({ start }) => start),
    ends: Float64Array.from(sorted, ({ end }) => end),
    weights: Float64Array.from(sorted, ({ score }) => score ?? 1),
    longest: sorted.reduce((most, { start, end }) => Math.max(most, end - start), 0),
  };
};

/** The index of the first value that is not below `time` (binary search). */
const firstFrom = (values: Float64Array, time: number): number => {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((values[middle] ?? 0) < time) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** The interval that contains a time; null if there is none. */
export const spanAt = (
  { starts, ends, longest }: Spans,
  time: number,
): { readonly start: number; readonly end: number } | null => {
  for (let at = firstFrom(starts, time - longest); at < starts.length; at += 1) {
    const [start = 0, end = 0] = [starts[at], ends[at]];
    if (start > time) return null;
    if (end > time) return { start, end };
  }
  return null;
};

/**
 * Calls `draw` for the visible parts of a lane, in pixels. Intervals less than a pixel apart are joined, with the larger
 * of their weights, so that drawing never takes more calls than the lane has pixels.
 */
export const eachVisible = (
  { starts, ends, weights, longest }: Spans,
  { start, end }: Viewport,
  width: number,
  draw: (x: number, width: number, weight: number) => void,
): void => {
  const scale = width / (end - start);
  let [from, to, weight] = [0, -1, 0];
  const flush = (): void => {
    if (to >= from) draw(from, Math.max(to - from, 0.75), weight);
  };
  for (let at = firstFrom(starts, start - longest); at < starts.length; at += 1) {
    const begin = starts[at] ?? 0;
    if (begin >= end) break;
    const stop = ends[at] ?? 0;
    if (stop <= start) continue;
    const left = Math.max(0, (begin - start) * scale);
    const right = Math.min(width, (stop - start) * scale);
    const own = weights[at] ?? 1;
    const isNear = left - to < 0.75 && (own === weight || left - from < 1.5);
    if (to >= from && isNear) {
      to = Math.max(to, right);
      weight = Math.max(weight, own);
    } else {
      flush();
      [from, to, weight] = [left, right, own];
    }
  }
  flush();
};
