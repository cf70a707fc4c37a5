import type { Interval } from '../kernel/interval.js';

/**
 * The integral, from the beginning to any time, of a rate that is `rateOf` a part inside the part and 0 outside.
 * The parts are ordered and disjoint. A look-up takes time logarithmic in their number.
 */
export const runningTotal = <Part extends Interval>(
  parts: readonly Part[],
  rateOf: (part: Part) => number,
): ((time: number) => number) => {
  const before = new Float64Array(parts.length + 1);
  parts.forEach((part, n) => {
    before[n + 1] = (before[n] ?? 0) + rateOf(part) * (part.end - part.start);
  });
  return (time) => {
    let low = 0;
    let high = parts.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((parts[middle]?.end ?? Infinity) > time) high = middle;
      else low = middle + 1;
    }
    const part = parts[low];
    const inside = part === undefined || part.start >= time ? 0 : rateOf(part) * (time - part.start);
    return (before[low] ?? 0) + inside;
  };
};
