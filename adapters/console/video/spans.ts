import type { Viewport } from './viewport.js';

/** Stretches of one lane in the order of their starts, packed: hundreds of thousands are drawn from it. */
export interface Spans {
  readonly starts: Float64Array;
  readonly ends: Float64Array;
  /** Of each stretch, 0 to 1; all 1 where there are no scores. */
  readonly weights: Float64Array;
  /** The longest stretch: how far before a time one may have begun that is still to be seen. */
  readonly longest: number;
}

interface Stretch {
  readonly start: number;
  readonly end: number;
  readonly score?: number;
}

export const spansOf = (stretches: ReadonlyArray<Stretch>): Spans => {
  const sorted = [...stretches].sort((a, b) => a.start - b.start);
  return {
    starts: Float64Array.from(sorted, ({ start }) => start),
    ends: Float64Array.from(sorted, ({ end }) => end),
    weights: Float64Array.from(sorted, ({ score }) => score ?? 1),
    longest: sorted.reduce((most, { start, end }) => Math.max(most, end - start), 0),
  };
};

/** The index of the first value that is not below a time. */
const firstFrom = (values: Float64Array, time: number): number => {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((values[middle] ?? 0) < time) low = middle + 1;
    else high = middle;
  }
  return low;
};

/**
 * Calls back for what is to be seen of a lane, in pixels: stretches that are closer to each other than a pixel are one,
 * with the greatest of their weights, so that a frame costs no more than the lane has pixels.
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
