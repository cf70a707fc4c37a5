import type { Interval } from '../kernel/interval.js';
import type { Span } from './spans.js';

type Visit = (a: number, b: number, start: number, end: number) => void;

/**
 * Visits every overlapping pair of two lists, by index, with the stretch of time that they share. Both lists are
 * ordered by start; inside a list, stretches may overlap. Linear in the stretches and in the pairs found: the
 * forward-scan sweep of Brinkhoff, Kriegel and Seeger (SIGMOD 1993).
 */
export const forEachOverlap = (as: readonly Interval[], bs: readonly Interval[], visit: Visit): void => {
  let i = 0;
  let j = 0;
  for (;;) {
    const a = as[i];
    const b = bs[j];
    if (a === undefined || b === undefined) return;
    if (a.start <= b.start) {
      for (let k = j, other = bs[k]; other !== undefined && other.start < a.end; other = bs[++k])
        visit(i, k, other.start, Math.min(a.end, other.end));
      i += 1;
    } else {
      for (let k = i, other = as[k]; other !== undefined && other.start < b.end; other = as[++k])
        visit(k, j, other.start, Math.min(b.end, other.end));
      j += 1;
    }
  }
};

/** What two lists of disjoint, ordered intervals have in common: disjoint and ordered, since the sweep finds it so. */
export const intersection = (as: readonly Interval[], bs: readonly Interval[]): readonly Interval[] => {
  const common: Interval[] = [];
  forEachOverlap(as, bs, (_a, _b, start, end) => common.push({ start, end }));
  return common;
};

/** Weighted seconds that an owner shares with a unit. */
export interface Share {
  readonly owner: number;
  readonly seconds: number;
}

/** For each unit: the weighted seconds that each owner of the spans shares with it. Both lists are ordered by start. */
export const sharesOf = (units: readonly Interval[], spans: readonly Span[]): readonly (readonly Share[])[] => {
  const shares: { owner: number; seconds: number }[][] = units.map(() => []);
  forEachOverlap(units, spans, (u, s, start, end) => {
    const span = spans[s];
    const ofUnit = shares[u];
    if (span === undefined || ofUnit === undefined) return;
    const seconds = span.weight * (end - start);
    const known = ofUnit.find(({ owner }) => owner === span.owner);
    if (known === undefined) ofUnit.push({ owner: span.owner, seconds });
    else known.seconds += seconds;
  });
  return shares;
};
