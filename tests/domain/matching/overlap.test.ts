import { expect } from 'chai';
import * as fc from 'fast-check';
import type { Interval } from '../../../domain/kernel/interval.js';
import { forEachOverlap, sharedSeconds } from '../../../domain/matching/overlap.js';
import { runningTotal } from '../../../domain/matching/running-total.js';
import { byStart, merged, totalSeconds, widened } from '../../../domain/matching/spans.js';
import { anyIntervals, spans } from './cases.js';

const swept = (as: readonly Interval[], bs: readonly Interval[]): number => {
  let seconds = 0;
  forEachOverlap(as, bs, (a, b) => (seconds += sharedSeconds(a, b)));
  return seconds;
};

const naive = (as: readonly Interval[], bs: readonly Interval[]): number =>
  as.flatMap((a) => bs.map((b) => sharedSeconds(a, b))).reduce((sum, seconds) => sum + seconds, 0);

describe('matching: overlap of intervals', () => {
  it('the sweep finds what comparing each with each finds', () =>
    fc.assert(
      fc.property(anyIntervals, anyIntervals, (as, bs) => {
        expect(swept([...as].sort(byStart), [...bs].sort(byStart))).to.equal(naive(as, bs));
      }),
    ));

  it('the sweep visits no pair twice', () =>
    fc.assert(
      fc.property(anyIntervals, anyIntervals, (as, bs) => {
        const seen = new Map<Interval, Set<Interval>>();
        forEachOverlap([...as].sort(byStart), [...bs].sort(byStart), (a, b) => {
          const others = seen.get(a) ?? new Set();
          expect(others.has(b)).to.equal(false);
          seen.set(a, others.add(b));
        });
      }),
    ));

  it('merging leaves ordered, disjoint intervals, and drops those without length', () => {
    expect(merged(spans([5, 7], [1, 2], [6, 9], [3, 3], [2, 3]))).to.deep.equal(spans([1, 3], [5, 9]));
    expect(merged([{ start: 1, end: Number.NaN }])).to.deep.equal([]);
  });

  it('widening joins what comes within reach', () => {
    expect(widened(spans([10, 11], [14, 15]), 2)).to.deep.equal(spans([8, 17]));
  });

  it('a running total over everything is the total', () =>
    fc.assert(
      fc.property(anyIntervals, fc.integer({ min: 0, max: 70 }), (intervals, time) => {
        const parts = merged(intervals);
        expect(runningTotal(parts, () => 1)(time)).to.equal(swept(parts, spans([0, time])));
        expect(runningTotal(parts, () => 1)(1000)).to.equal(totalSeconds(parts));
      }),
    ));
});
