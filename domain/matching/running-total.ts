import { lengthOf, type Stretches } from './stretches.js';

/** The first part that ends after a time, looked for around a place: exponential, then binary search. */
const placeOf = (time: number, ends: Float64Array, around: number): number => {
  const endsAfter = (n: number): boolean => (ends[n] ?? 0) > time;
  let [low, high] = [around, around];
  for (let step = 1; low > 0 && endsAfter(low - 1); step *= 2) {
    high = low - 1;
    low = Math.max(0, high - step);
  }
  for (let step = 1; high < ends.length && !endsAfter(high); step *= 2) {
    low = high + 1;
    high = Math.min(ends.length, low + step);
  }
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (endsAfter(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
};

/**
 * The integral, from the beginning to any time, of a rate that is `rateOf` a part inside the part and 0 outside.
 * The parts are ordered and disjoint. A look-up takes time logarithmic in how many parts lie between it and the last one:
 * who sweeps through time asks for the same place or the next as a rule.
 */
export const runningTotal = (parts: Stretches, rateOf: (part: number) => number): ((time: number) => number) => {
  const { starts, ends } = parts;
  const rates = new Float64Array(starts.length);
  const totals = new Float64Array(starts.length + 1);
  for (let n = 0; n < starts.length; n += 1) {
    const rate = rateOf(n);
    rates[n] = rate;
    totals[n + 1] = (totals[n] ?? 0) + rate * lengthOf(parts, n);
  }
  let place = 0;
  return (time) => {
    place = placeOf(time, ends, place);
    return (totals[place] ?? 0) + (rates[place] ?? 0) * Math.max(0, time - (starts[place] ?? time));
  };
};
