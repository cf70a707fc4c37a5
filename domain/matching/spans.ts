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

const isBefore = ({ starts, ends }: Spans, one: number, other: number): boolean => {
  const order = (starts[one] ?? 0) - (starts[other] ?? 0);
  return order < 0 || (order === 0 && (ends[one] ?? 0) <= (ends[other] ?? 0));
};

/** Merges two ordered neighbouring ranges; of simultaneous intervals those of the first come first. */
const mergeRanges = (from: Spans, to: Spans, start: number, middle: number, end: number): void => {
  for (let n = start, m = middle, at = start; at < end; at += 1) {
    const isFirst = m === end || (n < middle && isBefore(from, n, m));
    const place = isFirst ? n : m;
    to.starts[at] = from.starts[place] ?? 0;
    to.ends[at] = from.ends[place] ?? 0;
    to.owners[at] = from.owners[place] ?? 0;
    if (isFirst) n += 1;
    else m += 1;
  }
};

/** Merges the intervals of all owners in chronological order; simultaneous ones ordered by owner. */
export const spansOf = (owned: readonly Stretches[]): Spans => {
  const length = owned.reduce((sum, { starts }) => sum + starts.length, 0);
  let [spans, merged] = [newSpans(length), newSpans(length)];
  let ends: number[] = [];
  for (const [owner, one] of owned.entries()) {
    const start = ends.at(-1) ?? 0;
    ends.push(start + one.starts.length);
    spans.starts.set(one.starts, start);
    spans.ends.set(one.ends, start);
    spans.owners.fill(owner, start, start + one.starts.length);
  }
  while (ends.length > 1) {
    for (let n = 0; n < ends.length; n += 2)
      mergeRanges(spans, merged, ends[n - 1] ?? 0, ends[n] ?? 0, ends[n + 1] ?? length);
    ends = ends.filter((_, n) => n % 2 === 1 || n === ends.length - 1);
    [spans, merged] = [merged, spans];
  }
  return spans;
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
