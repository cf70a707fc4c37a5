import type { Interval } from '../kernel/interval.js';

/**
 * Visits every pair of stretches from two lists that share some time, with their places in the lists. Both lists are ordered by start; inside a list,
 * stretches may overlap. Linear in the stretches and in the pairs found: the forward-scan sweep of Brinkhoff, Kriegel
 * and Seeger (SIGMOD 1993).
 */
export const forEachOverlap = <A extends Interval, B extends Interval>(
  as: readonly A[],
  bs: readonly B[],
  visit: (a: A, b: B, i: number, j: number) => void,
): void => {
  let i = 0;
  let j = 0;
  for (;;) {
    const a = as[i];
    const b = bs[j];
    if (a === undefined || b === undefined) return;
    if (a.start <= b.start) {
      for (let k = j, other = bs[k]; other !== undefined && other.start < a.end; other = bs[++k]) visit(a, other, i, k);
      i += 1;
    } else {
      for (let k = i, other = as[k]; other !== undefined && other.start < b.end; other = as[++k]) visit(other, b, k, j);
      j += 1;
    }
  }
};

/** The seconds that two stretches share. */
export const sharedSeconds = (a: Interval, b: Interval): number =>
  Math.max(0, Math.min(a.end, b.end) - Math.max(a.start, b.start));
