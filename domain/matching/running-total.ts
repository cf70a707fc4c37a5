import { lengthOf, type Stretches } from './stretches.js';

/** Index of the first part that ends after `time`: exponential search from `around`, then binary search. */
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
 * Returns the integral, from the beginning to a time, of a rate that is `rateOf(part)` inside each part and 0 outside.
 * Parts are ordered and disjoint. A look-up is logarithmic in the distance to the previous one, so sweeping through
 * time is cheap.
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
