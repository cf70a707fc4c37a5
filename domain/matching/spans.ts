import { orderOf, type Stretches } from './stretches.js';

/** Intervals of several faces or speakers, each with the index of its owner. */
export interface Spans extends Stretches {
  readonly owners: Uint32Array;
}

/** Unfilled columns. */
const newSpans = (length: number): Spans => ({
  starts: new Float64Array(length),
  ends: new Float64Array(length),
  owners: new Uint32Array(length),
});

const inOrder = (spans: Spans): Spans => {
  const order = orderOf(spans);
  if (order === null) return spans;
  const { starts, ends, owners } = spans;
  const ordered = newSpans(order.length);
  order.forEach((from, to) => {
    ordered.starts[to] = starts[from] ?? 0;
    ordered.ends[to] = ends[from] ?? 0;
    ordered.owners[to] = owners[from] ?? 0;
  });
  return ordered;
};

/** Merges the intervals of all owners in chronological order; simultaneous ones ordered by owner. */
export const spansOf = (owned: readonly Stretches[]): Spans => {
  const all = newSpans(owned.reduce((sum, { starts }) => sum + starts.length, 0));
  let from = 0;
  owned.forEach(({ starts, ends }, owner) => {
    all.starts.set(starts, from);
    all.ends.set(ends, from);
    all.owners.fill(owner, from, from + starts.length);
    from += starts.length;
  });
  return inOrder(all);
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
