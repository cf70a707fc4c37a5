import type { Stretches } from './stretches.js';

/** Intervals of several faces or speakers, each with the index of its owner. */
export interface Spans extends Stretches {
  readonly owners: Uint32Array;
}

/** Unfilled columns. */
export const newSpans = (length: number): Spans => ({
  starts: new Float64Array(length),
  ends: new Float64Array(length),
  owners: new Uint32Array(length),
});

/** Merges two ordered lists; of simultaneous intervals those of the first come first. */
const mergedSpans = (one: Spans, other: Spans): Spans => {
  const [ones, others] = [one.starts.length, other.starts.length];
  const both = newSpans(ones + others);
  const isBefore = (n: number, m: number): boolean => {
    const order = (one.starts[n] ?? 0) - (other.starts[m] ?? 0);
    return order < 0 || (order === 0 && (one.ends[n] ?? 0) <= (other.ends[m] ?? 0));
  };
  for (let n = 0, m = 0; n + m < ones + others;) {
    const isFirst = m === others || (n < ones && isBefore(n, m));
    const from = isFirst ? one : other;
    const place = isFirst ? n : m;
    const to = n + m;
    both.starts[to] = from.starts[place] ?? 0;
    both.ends[to] = from.ends[place] ?? 0;
    both.owners[to] = from.owners[place] ?? 0;
    if (isFirst) n += 1;
    else m += 1;
  }
  return both;
};

/** Merges the intervals of all owners in chronological order; simultaneous ones ordered by owner. */
export const spansOf = (owned: readonly Stretches[]): Spans => {
  const ofOwners = (from: number, to: number): Spans => {
    if (to - from > 1) return mergedSpans(ofOwners(from, (from + to) >> 1), ofOwners((from + to) >> 1, to));
    const { starts, ends } = owned[from] ?? newSpans(0);
    return { starts, ends, owners: new Uint32Array(starts.length).fill(from) };
  };
  return ofOwners(0, owned.length);
};

/** Extends spans by `seconds` at both ends, as disjoint spans per owner. */
export const widened = ({ starts, ends, owners }: Spans, seconds: number): Spans => {
  const wide = newSpans(starts.length);
  const latest: number[] = [];
  let count = 0;
  for (let n = 0; n < starts.length; n += 1) {
    const [start, end, owner] = [(starts[n] ?? 0) - seconds, (ends[n] ?? 0) + seconds, owners[n] ?? 0];
    const last = latest[owner] ?? -1;
    if (last >= 0 && start <= (wide.ends[last] ?? 0)) wide.ends[last] = Math.max(wide.ends[last] ?? 0, end);
    else {
      wide.starts[count] = start;
      wide.ends[count] = end;
      wide.owners[count] = owner;
      latest[owner] = count;
      count += 1;
    }
  }
  return {
    starts: wide.starts.subarray(0, count),
    ends: wide.ends.subarray(0, count),
    owners: wide.owners.subarray(0, count),
  };
};
