import type { Interval } from '../kernel/interval.js';

/**
 * Intervals of media time ordered by start, in columnar form: as objects, those of long media would use too much
 * memory.
 */
export interface Stretches {
  readonly starts: Float64Array;
  readonly ends: Float64Array;
}

/** Merges touching or overlapping intervals in place. */
const joined = ({ starts, ends }: Stretches): Stretches => {
  let count = 0;
  for (let n = 0; n < starts.length; n += 1) {
    const [start, end] = [starts[n] ?? 0, ends[n] ?? 0];
    if (count > 0 && start <= (ends[count - 1] ?? 0)) ends[count - 1] = Math.max(ends[count - 1] ?? 0, end);
    else {
      starts[count] = start;
      ends[count] = end;
      count += 1;
    }
  }
  return count === starts.length
    ? { starts, ends }
    : { starts: starts.subarray(0, count), ends: ends.subarray(0, count) };
};

/** The union of the intervals, as disjoint ones. */
export const covered = ({ starts, ends }: Stretches): Stretches =>
  joined({ starts: starts.slice(), ends: ends.slice() });

/** Converts ordered intervals to columns. */
export const columnsOf = (ordered: readonly Interval[]): Stretches => {
  const [starts, ends] = [new Float64Array(ordered.length), new Float64Array(ordered.length)];
  ordered.forEach(({ start, end }, n) => {
    starts[n] = start;
    ends[n] = end;
  });
  return { starts, ends };
};

/** Maximum time in seconds, three decades: sums of larger values could become infinite. */
const farthest = 1e9;

const reachable = (time: number): number => Math.max(-farthest, Math.min(farthest, time));

/** Clamps an interval to the maximum time; its length may become zero. */
export const withinReach = <Timed extends Interval>(interval: Timed): Timed => ({
  ...interval,
  start: reachable(interval.start),
  end: reachable(interval.end),
});

const isOrdered = ({ starts, ends }: Stretches): boolean =>
  starts.every((start, n) => {
    const before = n === 0 ? -Infinity : (starts[n - 1] ?? 0);
    return before < start || (before === start && (ends[n - 1] ?? 0) <= (ends[n] ?? 0));
  });

/**
 * The indexes of intervals in chronological order; null if they are already in order, as detectors usually deliver
 * them.
 */
export const orderOf = (stretches: Stretches): readonly number[] | null => {
  if (isOrdered(stretches)) return null;
  const { starts, ends } = stretches;
  const places = Array.from({ length: starts.length }, (_, n) => n);
  return places.sort((a, b) => (starts[a] ?? 0) - (starts[b] ?? 0) || (ends[a] ?? 0) - (ends[b] ?? 0));
};

/** Clamps intervals to the maximum time, drops empty ones, and converts them to columns. */
const within = (intervals: readonly Interval[]): Stretches => {
  const [starts, ends] = [new Float64Array(intervals.length), new Float64Array(intervals.length)];
  let count = 0;
  for (const interval of intervals) {
    const [start, end] = [reachable(interval.start), reachable(interval.end)];
    if (!(end - start > 0)) continue;
    starts[count] = start;
    ends[count] = end;
    count += 1;
  }
  return { starts: starts.subarray(0, count), ends: ends.subarray(0, count) };
};

/** Sorts and merges intervals; those without length are dropped. */
export const merged = (intervals: readonly Interval[]): Stretches => {
  const reached = within(intervals);
  const order = orderOf(reached);
  if (order === null) return joined(reached);
  const { starts, ends } = reached;
  return joined({
    starts: Float64Array.from(order, (n) => starts[n] ?? 0),
    ends: Float64Array.from(order, (n) => ends[n] ?? 0),
  });
};

/** Shifts intervals in time. */
export const later = ({ starts, ends }: Stretches, seconds: number): Stretches => ({
  starts: starts.map((start) => start + seconds),
  ends: ends.map((end) => end + seconds),
});

export const lengthOf = ({ starts, ends }: Stretches, n: number): number => (ends[n] ?? 0) - (starts[n] ?? 0);

export const totalSeconds = (disjoint: Stretches): number => {
  let seconds = 0;
  for (let n = 0; n < disjoint.starts.length; n += 1) seconds += lengthOf(disjoint, n);
  return seconds;
};

/**
 * Visits every overlapping pair of intervals from two lists ordered by start, by index: in order of the first list,
 * then of the second. Intervals within a list may overlap. Linear in the intervals and the pairs found: a plane sweep
 * (Brinkhoff, Kriegel and Seeger, SIGMOD 1993) that keeps the `bs` that began before the current `a` and may last into
 * it.
 */
export const forEachOverlap = (as: Stretches, bs: Stretches, visit: (a: number, b: number) => void): void => {
  const lasting = new Uint32Array(bs.starts.length);
  let [count, next] = [0, 0];
  for (let a = 0; a < as.starts.length; a += 1) {
    const [start, end] = [as.starts[a] ?? 0, as.ends[a] ?? 0];
    for (; next < bs.starts.length && (bs.starts[next] ?? 0) < start; next += 1) lasting[count++] = next;
    const candidates = count;
    count = 0;
    for (let n = 0; n < candidates; n += 1) {
      const b = lasting[n] ?? 0;
      if ((bs.ends[b] ?? 0) > start) {
        lasting[count++] = b;
        visit(a, b);
      }
    }
    for (let b = next; b < bs.starts.length && (bs.starts[b] ?? 0) < end; b += 1) visit(a, b);
  }
};

/** The length of the overlap of two intervals in seconds. */
export const sharedSeconds = (as: Stretches, a: number, bs: Stretches, b: number): number =>
  Math.max(0, Math.min(as.ends[a] ?? 0, bs.ends[b] ?? 0) - Math.max(as.starts[a] ?? 0, bs.starts[b] ?? 0));
