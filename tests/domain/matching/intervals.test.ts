import { expect } from 'chai';
import * as fc from 'fast-check';
import type { Interval } from '../../../domain/kernel/interval.js';
import {
  columnsOf,
  forEachOverlap,
  type Intervals,
  shifted,
  merged,
  runningTotal,
  sharedSeconds,
  spansOf,
  totalSeconds,
  union,
  widened,
} from '../../../domain/matching/intervals.js';
import { anyIntervals, spans } from './cases.js';

const intervalsOf = ({ starts, ends }: Intervals): readonly Interval[] =>
  Array.from(starts, (start, n) => ({ start, end: ends[n] ?? Number.NaN }));

const byStart = (a: Interval, b: Interval): number => a.start - b.start || a.end - b.end;

describe('matching: intervals', () => {
  it('are merged where they touch or overlap, and dropped without length', () => {
    const cases = [
      [spans([4, 5], [0, 2], [2, 3], [1, 1.5]), spans([0, 3], [4, 5])],
      [spans([5, 7], [1, 2], [6, 9], [3, 3], [2, 3]), spans([1, 3], [5, 9])],
      [[{ start: 1, end: Number.NaN }], []],
    ] as const;
    for (const [given, expected] of cases) expect(intervalsOf(merged(given))).to.deep.equal(expected);
  });

  it('are limited to a billion seconds in both directions', () =>
    expect(intervalsOf(merged(spans([-2e9, 3], [2e9, 3e9])))).to.deep.equal(spans([-1e9, 3])));

  it('are shifted, and extended', () => {
    const given = merged(spans([1, 2], [4, 6]));
    expect(intervalsOf(shifted(given, 0.5))).to.deep.equal(spans([1.5, 2.5], [4.5, 6.5]));
    expect(intervalsOf(widened(spansOf([given]), 0.5))).to.deep.equal(spans([0.5, 2.5], [3.5, 6.5]));
    expect(intervalsOf(widened(spansOf([given]), 1))).to.deep.equal(spans([0, 7]));
  });

  it('of several owners are in one order, simultaneous ones by owner, and cover what all of them cover', () =>
    fc.assert(
      fc.property(fc.array(anyIntervals, { maxLength: 4 }), (owned) => {
        const all = spansOf(owned.map(merged));
        const expected = owned.flatMap((own, owner) => intervalsOf(merged(own)).map((one) => ({ ...one, owner })));
        expect(intervalsOf(all).map((one, n) => ({ ...one, owner: all.owners[n] }))).to.deep.equal(
          expected.sort((a, b) => byStart(a, b) || a.owner - b.owner),
        );
        expect(union(all)).to.deep.equal(merged(owned.flat()));
      }),
    ));
});

describe('matching: overlapping intervals', () => {
  const pairs = (as: Intervals, bs: Intervals) => {
    const visited: (readonly [number, number, number])[] = [];
    forEachOverlap(as, bs, (a, b) => visited.push([a, b, sharedSeconds(as, a, bs, b)]));
    return visited;
  };

  it('are visited if one has no length and lies within the other, its start included', () =>
    expect(pairs(columnsOf(spans([1, 3])), columnsOf(spans([0, 0], [1, 1], [2, 2], [3, 3])))).to.deep.equal([
      [0, 1, 0],
      [0, 2, 0],
    ]));

  it('are those that comparing each with each finds, in order, without those that only touch', () =>
    fc.assert(
      fc.property(anyIntervals, anyIntervals, (some, others) => {
        const lasting = ({ start, end }: Interval) => end > start;
        const [as, bs] = [some.filter(lasting).sort(byStart), others.filter(lasting).sort(byStart)];
        const expected = as.flatMap((a, n) =>
          bs.flatMap((b, m) => {
            const shared = Math.min(a.end, b.end) - Math.max(a.start, b.start);
            return shared > 0 ? [[n, m, shared]] : [];
          }),
        );
        expect(pairs(columnsOf(as), columnsOf(bs))).to.deep.equal(expected);
      }),
    ));
});

describe('matching: a running total', () => {
  const parts = merged(spans([1, 2], [4, 6], [6.5, 7], [10, 12]));
  const rates = [1, 10, 100, 1_000];
  const times = [-1, 0, 1, 1.5, 2, 3, 4, 5, 6, 6.75, 7, 8, 10, 11, 12, 99];
  const totals = [0, 0, 0, 0.5, 1, 1, 1, 11, 21, 46, 71, 71, 71, 1_071, 2_071, 2_071];

  it('is right for any sequence of look-ups', () => {
    const total = runningTotal(parts, (part) => rates[part] ?? 0);
    for (const [n, from] of times.entries())
      for (const [m, to] of times.entries())
        expect([from, to].map(total), `${from}, ${to}`).to.deep.equal([totals[n], totals[m]]);
  });

  it('over everything is the total, and of nothing zero', () =>
    fc.assert(
      fc.property(anyIntervals, (intervals) => {
        expect(runningTotal(merged(intervals), () => 1)(1_000)).to.equal(totalSeconds(merged(intervals)));
      }),
    ));
});
