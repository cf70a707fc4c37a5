import { expect } from 'chai';
import * as fc from 'fast-check';
import type { Interval } from '../../../domain/kernel/interval.js';
import {
  forEachOverlap,
  sharedSeconds,
  columnsOf,
  covered,
  merged,
  type Stretches,
  totalSeconds,
} from '../../../domain/matching/stretches.js';
import { runningTotal } from '../../../domain/matching/running-total.js';
import { spansOf, widened } from '../../../domain/matching/spans.js';
import { anyIntervals, spans } from './cases.js';

const byStart = (a: Interval, b: Interval): number => a.start - b.start || a.end - b.end;

const inOrder = (intervals: readonly Interval[]): Stretches => columnsOf(intervals.toSorted(byStart));

const intervalsOf = ({ starts, ends }: Stretches): readonly Interval[] =>
  Array.from(starts, (start, n) => ({ start, end: ends[n] ?? Number.NaN }));

const swept = (as: Stretches, bs: Stretches): number => {
  let seconds = 0;
  forEachOverlap(as, bs, (a, b) => (seconds += sharedSeconds(as, a, bs, b)));
  return seconds;
};

const naive = (as: readonly Interval[], bs: readonly Interval[]): number =>
  as
    .flatMap((a) => bs.map((b) => Math.max(0, Math.min(a.end, b.end) - Math.max(a.start, b.start))))
    .reduce((sum, seconds) => sum + seconds, 0);

describe('matching: overlap of intervals', () => {
  it('the sweep finds what comparing each with each finds', () =>
    fc.assert(
      fc.property(anyIntervals, anyIntervals, (as, bs) => {
        expect(swept(inOrder(as), inOrder(bs))).to.equal(naive(as, bs));
      }),
    ));

  it('the sweep visits each pair once, in order', () =>
    fc.assert(
      fc.property(anyIntervals, anyIntervals, (as, bs) => {
        const visited: number[] = [];
        forEachOverlap(inOrder(as), inOrder(bs), (a, b) => visited.push(a * bs.length + b));
        expect(visited).to.deep.equal([...new Set(visited)].sort((one, other) => one - other));
      }),
    ));

  it('merging leaves ordered, disjoint intervals, and drops those without length', () => {
    expect(intervalsOf(merged(spans([5, 7], [1, 2], [6, 9], [3, 3], [2, 3])))).to.deep.equal(spans([1, 3], [5, 9]));
    expect(intervalsOf(merged([{ start: 1, end: Number.NaN }]))).to.deep.equal([]);
  });

  it('the spans of several owners are in one order, and cover what all of them cover', () =>
    fc.assert(
      fc.property(fc.array(anyIntervals, { maxLength: 4 }), (owned) => {
        const all = spansOf(owned.map(merged));
        expect(intervalsOf(all)).to.deep.equal(owned.flatMap((own) => intervalsOf(merged(own))).sort(byStart));
        expect(covered(all)).to.deep.equal(merged(owned.flat()));
        owned.forEach((own, owner) =>
          expect(intervalsOf(all).filter((_, n) => all.owners[n] === owner)).to.deep.equal(intervalsOf(merged(own))),
        );
      }),
    ));

  it('extending merges nearby spans of the same owner', () => {
    const wide = widened(spansOf([spans([10, 11], [14, 15]), spans([12, 13])].map(merged)), 2);
    expect(intervalsOf(wide)).to.deep.equal(spans([8, 17], [10, 15]));
    expect([...wide.owners]).to.deep.equal([0, 1]);
  });

  it('a running total over everything is the total', () =>
    fc.assert(
      fc.property(anyIntervals, fc.integer({ min: 0, max: 70 }), (intervals, time) => {
        const parts = merged(intervals);
        expect(runningTotal(parts, () => 1)(time)).to.equal(swept(parts, inOrder(spans([0, time]))));
        expect(runningTotal(parts, () => 1)(1000)).to.equal(totalSeconds(parts));
      }),
    ));
});
