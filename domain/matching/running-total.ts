import type { Interval } from '../kernel/interval.js';

/**
 * The integral, from the beginning to any time, of a rate that is `rateOf` a part inside the part and 0 outside.
 * The parts are ordered and disjoint. A look-up takes time logarithmic in their number.
 */
export const runningTotal = <Part extends Interval>(
  parts: readonly Part[],
  rateOf: (part: Part) => number,
): ((time: number) => number) => {
  const starts = new Float64Array(parts.length);
  const ends = new Float64Array(parts.length);
  const rates = new Float64Array(parts.length);
  const totals = new Float64Array(parts.length + 1);
  let total = 0;
  parts.forEach((part, n) => {
    starts[n] = part.start;
    ends[n] = part.end;
    const rate = rateOf(part);
    rates[n] = rate;
    total += rate * (part.end - part.start);
    totals[n + 1] = total;
  });
  const isIn = (n: number, time: number): boolean =>
    (ends[n] ?? Infinity) > time && (n === 0 || (ends[n - 1] ?? Infinity) <= time);
  /** Where the last look-up ended: who sweeps through time asks for the same place or the next as a rule. */
  let near = 0;
  const placeOf = (time: number): number => {
    for (let n = near; n < near + 3; n += 1) if (isIn(n, time)) return n;
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((ends[middle] ?? Infinity) > time) high = middle;
      else low = middle + 1;
    }
    return low;
  };
  return (time) => {
    near = placeOf(time);
    return (totals[near] ?? 0) + (rates[near] ?? 0) * Math.max(0, time - (starts[near] ?? time));
  };
};
