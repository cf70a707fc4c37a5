import type { Interval } from '../kernel/interval.js';

/**
 * Intervals of media time ordered by start, in columnar form: as objects, those of long media would use too much
 * memory.
 */
export interface Intervals {
  readonly starts: Float64Array;
  readonly ends: Float64Array;
}

/** Intervals of several faces or speakers, each with the index of its owner. */
export interface Spans extends Intervals {
  readonly owners: Uint32Array;
}

/** Maximum time in seconds, three decades: sums of larger values could become infinite. */
const farthest = 1e9;

const reachable = (time: number): number => Math.max(-farthest, Math.min(farthest, time));

/** Sorts intervals by start, as columns of times clamped to the maximum. */
export const columnsOf = (intervals: readonly Interval[]): Intervals => {
  const [starts, ends] = [new Float64Array(intervals.length), new Float64Array(intervals.length)];
  const ordered = intervals.toSorted((a, b) => a.start - b.start);
  ordered.forEach(({ start, end }, n) => {
    starts[n] = reachable(start);
    ends[n] = reachable(end);
  });
  return { starts, ends };
};

/** The union of ordered intervals, as disjoint ones: those that touch or overlap are merged, empty ones dropped. */
export const union = ({ starts, ends }: Intervals): Intervals => {
  const [from, to] = [new Float64Array(starts.length), new Float64Array(starts.length)];
  let count = 0;
  for (let n = 0; n < starts.length; n += 1) {
    const [start, end] = [starts[n] ?? 0, ends[n] ?? 0];
    if (!(end > start)) continue;
    if (count > 0 && start <= (to[count - 1] ?? 0)) to[count - 1] = Math.max(to[count - 1] ?? 0, end);
    else {
      from[count] = start;
      to[count] = end;
      count += 1;
    }
  }
  return { starts: from.subarray(0, count), ends: to.subarray(0, count) };
};

/** The union of intervals in any order. */
export const merged = (intervals: readonly Interval[]): Intervals => union(columnsOf(intervals));

/** Shifts intervals in time. */
export const shifted = ({ starts, ends }: Intervals, seconds: number): Intervals => ({
  starts: starts.map((start) => start + seconds),
  ends: ends.map((end) => end + seconds),
});

export const lengthOf = ({ starts, ends }: Intervals, n: number): number => (ends[n] ?? 0) - (starts[n] ?? 0);

export const totalSeconds = (disjoint: Intervals): number =>
  disjoint.starts.reduce((seconds, _, n) => seconds + lengthOf(disjoint, n), 0);

/** The length of the overlap of two intervals in seconds. */
export const sharedSeconds = (as: Intervals, a: number, bs: Intervals, b: number): number =>
  Math.max(0, Math.min(as.ends[a] ?? 0, bs.ends[b] ?? 0) - Math.max(as.starts[a] ?? 0, bs.starts[b] ?? 0));

const newSpans = (length: number): Spans => ({
  starts: new Float64Array(length),
  ends: new Float64Array(length),
  owners: new Uint32Array(length),
});

const isBefore = ({ starts, ends }: Spans, one: number, other: number): boolean => {
  const order = (starts[one] ?? 0) - (starts[other] ?? 0);
  return order < 0 || (order === 0 && (ends[one] ?? 0) <= (ends[other] ?? 0));
};

/** Merges two ordered neighbouring ranges; of simultaneous intervals those of the first come first. */
const mergeRanges = (from: Spans, to: Spans, start: number, middle: number, end: number): void => {
  for (let n = start, m = middle, place = start; place < end; place += 1) {
    const isFirst = m === end || (n < middle && isBefore(from, n, m));
    const next = isFirst ? n++ : m++;
    to.starts[place] = from.starts[next] ?? 0;
    to.ends[place] = from.ends[next] ?? 0;
    to.owners[place] = from.owners[next] ?? 0;
  }
};

/**
 * The intervals of all owners in chronological order; simultaneous ones ordered by owner. They are merged pairwise, back
 * and forth between two buffers. `first`: the index of the first owner.
 */
export const spansOf = (owned: readonly Intervals[], first = 0): Spans => {
  const length = owned.reduce((sum, { starts }) => sum + starts.length, 0);
  let [spans, merging] = [newSpans(length), newSpans(length)];
  let ends: number[] = [];
  for (const [owner, { starts, ends: own }] of owned.entries()) {
    const start = ends.at(-1) ?? 0;
    ends.push(start + starts.length);
    spans.starts.set(starts, start);
    spans.ends.set(own, start);
    spans.owners.fill(first + owner, start, start + starts.length);
  }
  while (ends.length > 1) {
    for (let n = 0; n < ends.length; n += 2)
      mergeRanges(spans, merging, ends[n - 1] ?? 0, ends[n] ?? 0, ends[n + 1] ?? length);
    ends = ends.filter((_, n) => n % 2 === 1 || n === ends.length - 1);
    [spans, merging] = [merging, spans];
  }
  return spans;
};

/** Extends spans by `seconds` at both ends, and merges those of an owner that then overlap. */
export const widened = ({ starts, ends, owners }: Spans, seconds: number): Spans => {
  const wide = newSpans(starts.length);
  const latest: number[] = [];
  let count = 0;
  for (let n = 0; n < starts.length; n += 1) {
    const [start, end, owner] = [(starts[n] ?? 0) - seconds, (ends[n] ?? 0) + seconds, owners[n] ?? 0];
    const last = latest[owner];
    if (last !== undefined && start <= (wide.ends[last] ?? 0)) wide.ends[last] = Math.max(wide.ends[last] ?? 0, end);
    else {
      wide.starts[count] = start;
      wide.ends[count] = end;
      wide.owners[count] = owner;
      latest[owner] = count++;
    }
  }
  return {
    starts: wide.starts.subarray(0, count),
    ends: wide.ends.subarray(0, count),
    owners: wide.owners.subarray(0, count),
  };
};

/**
 * Visits every overlapping pair of intervals from two lists ordered by start, by index: in order of the first list, then of
 * the second. Intervals within a list may overlap. Linear in the intervals and the pairs found: a plane sweep (Brinkhoff,
 * Kriegel and Seeger, SIGMOD 1993) that keeps the `bs` that began before the current `a` and may last into it.
 */
export const forEachOverlap = (as: Intervals, bs: Intervals, visit: (a: number, b: number) => void): void => {
  const lasting = new Uint32Array(bs.starts.length);
  let [count, next] = [0, 0];
  for (let a = 0; a < as.starts.length; a += 1) {
    const [start, end] = [as.starts[a] ?? 0, as.ends[a] ?? 0];
    for (; next < bs.starts.length && (bs.starts[next] ?? 0) < start; next += 1) lasting[count++] = next;
    const candidates = count;
    count = 0;
    for (let n = 0; n < candidates; n += 1) {
      const b = lasting[n] ?? 0;
      if ((bs.ends[b] ?? 0) <= start) continue;
      lasting[count++] = b;
      visit(a, b);
    }
    for (let b = next; b < bs.starts.length && (bs.starts[b] ?? 0) < end; b += 1) visit(a, b);
  }
};

/**
 * Returns the integral, from the beginning to a time, of a rate that is `rateOf(part)` inside each part and 0 outside.
 * Parts are ordered and disjoint. A look-up starts where the previous one ended, so sweeping through time is cheap.
 */
export const runningTotal = (parts: Intervals, rateOf: (part: number) => number): ((time: number) => number) => {
  const { starts, ends } = parts;
  const rates = starts.map((_, n) => rateOf(n));
  const totals = new Float64Array(starts.length + 1);
  rates.forEach((rate, n) => (totals[n + 1] = (totals[n] ?? 0) + rate * lengthOf(parts, n)));
  let place = 0;
  return (time) => {
    while (place > 0 && (ends[place - 1] ?? 0) > time) place -= 1;
    while (place < ends.length && (ends[place] ?? 0) <= time) place += 1;
    return (totals[place] ?? 0) + (rates[place] ?? 0) * Math.max(0, time - (starts[place] ?? time));
  };
};
