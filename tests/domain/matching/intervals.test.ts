import { expect } from 'chai';
import type { Interval } from '../../../domain/kernel/interval.js';
import {
  forEachOverlap,
  sharedSeconds,
  columnsOf,
  covered,
  later,
  merged,
  orderOf,
  type Stretches,
  withinReach,
} from '../../../domain/matching/stretches.js';
import { runningTotal } from '../../../domain/matching/running-total.js';
import { forEachShare, sharesOf } from '../../../domain/matching/shares.js';
import { type Spans, spansOf, widened } from '../../../domain/matching/spans.js';
import { spans } from './cases.js';

const intervalsOf = ({ starts, ends }: Stretches): readonly Interval[] =>
  Array.from(starts, (start, n) => ({ start, end: ends[n] ?? Number.NaN }));

const owned = (all: Spans) => intervalsOf(all).map(({ start, end }, n) => [start, end, all.owners[n]]);

describe('matching: intervals', () => {
  it('are in order by start, then by end', () => {
    const order = (...all: readonly (readonly [number, number])[]) => orderOf(columnsOf(spans(...all)));
    expect(order()).to.equal(null);
    expect(order([1, 2], [1, 2], [1, 3], [2, 2])).to.equal(null);
    expect(order([1, 3], [1, 2])).to.deep.equal([1, 0]);
    expect(order([2, 3], [1, 9], [1, 2])).to.deep.equal([2, 1, 0]);
    expect(order([1, 2], [3, 4], [1, 4])).to.deep.equal([0, 2, 1]);
  });

  it('are merged where they touch or overlap, without changing the input', () => {
    const given = columnsOf(spans([0, 2], [1, 1.5], [2, 3], [4, 5]));
    expect(intervalsOf(covered(given))).to.deep.equal(spans([0, 3], [4, 5]));
    expect(intervalsOf(given)).to.deep.equal(spans([0, 2], [1, 1.5], [2, 3], [4, 5]));
    expect(intervalsOf(merged(spans([4, 5], [0, 2], [2, 3])))).to.deep.equal(spans([0, 3], [4, 5]));
  });

  it('are limited to a billion seconds in both directions', () => {
    expect(withinReach({ start: -2e9, end: 2e9, score: 1 })).to.deep.equal({ start: -1e9, end: 1e9, score: 1 });
    expect(intervalsOf(merged(spans([-2e9, 3], [2e9, 3e9])))).to.deep.equal(spans([-1e9, 3]));
  });

  it('are shifted', () => {
    expect(intervalsOf(later(columnsOf(spans([1, 2], [4, 6])), 0.5))).to.deep.equal(spans([1.5, 2.5], [4.5, 6.5]));
  });
});

describe('matching: overlapping intervals', () => {
  const pairs = (as: readonly Interval[], bs: readonly Interval[]) => {
    const [a, b] = [columnsOf(as), columnsOf(bs)];
    const visited: (readonly [number, number, number])[] = [];
    forEachOverlap(a, b, (one, other) => visited.push([one, other, sharedSeconds(a, one, b, other)]));
    return visited;
  };

  it('are visited if they share time, not if they only touch', () => {
    expect(pairs(spans([0, 1]), spans([1, 2]))).to.deep.equal([]);
    expect(pairs(spans([1, 2]), spans([0, 1]))).to.deep.equal([]);
    expect(pairs(spans([0, 4], [3, 5]), spans([1, 2], [3, 9]))).to.deep.equal([
      [0, 0, 1],
      [0, 1, 1],
      [1, 1, 2],
    ]);
  });

  it('are visited if one has no length and lies within the other, its start included', () => {
    expect(pairs(spans([1, 3]), spans([0, 0], [1, 1], [2, 2], [3, 3]))).to.deep.equal([
      [0, 1, 0],
      [0, 2, 0],
    ]);
  });
});

describe('matching: spans of owners', () => {
  it('are in chronological order, simultaneous ones by owner', () => {
    expect(owned(spansOf([spans([4, 5], [6, 7]), spans([4, 5], [1, 2]), []].map(merged)))).to.deep.equal([
      [1, 2, 1],
      [4, 5, 0],
      [4, 5, 1],
      [6, 7, 0],
    ]);
  });

  it('are extended and merged with those of the same owner', () => {
    const wide = (seconds: number) =>
      owned(widened(spansOf([spans([0, 1], [3, 4]), spans([3, 8], [9, 10])].map(merged)), seconds));
    expect(wide(0.5)).to.deep.equal([
      [-0.5, 1.5, 0],
      [2.5, 4.5, 0],
      [2.5, 10.5, 1],
    ]);
    expect(wide(1)).to.deep.equal([
      [-1, 5, 0],
      [2, 11, 1],
    ]);
    const inside = {
      starts: new Float64Array([0, 1]),
      ends: new Float64Array([9, 2]),
      owners: new Uint32Array([3, 3]),
    };
    expect(owned(widened(inside, 1))).to.deep.equal([[-1, 10, 3]]);
  });

  it('share seconds with parts, one entry for each part and owner', () => {
    const parts = spansOf([spans([0, 4], [5, 9])].map(merged));
    const others = spansOf([spans([0, 1], [2, 3], [6, 7]), spans([3, 6])].map(merged));
    const shares = sharesOf(parts, others, { owners: 2, overlaps: 5 }, (part, other) =>
      sharedSeconds(parts, part, others, other),
    );
    const entries: (readonly number[])[] = [];
    forEachShare(shares, (...entry) => entries.push(entry));
    expect(entries).to.deep.equal([
      [0, 0, 2],
      [0, 1, 1],
      [1, 1, 1],
      [1, 0, 1],
    ]);
  });
});

describe('matching: a running total', () => {
  const parts = columnsOf(spans([1, 2], [4, 6], [6, 7], [10, 12]));
  const rates = [1, 10, 100, 1_000];
  const times = [-1, 0, 1, 1.5, 2, 3, 4, 5, 6, 6.5, 7, 8, 10, 11, 12, 99];
  const totals = [0, 0, 0, 0.5, 1, 1, 1, 11, 21, 71, 121, 121, 121, 1_121, 2_121, 2_121];

  it('is right for any sequence of look-ups', () => {
    const total = runningTotal(parts, (part) => rates[part] ?? 0);
    expect(times.map(total)).to.deep.equal(totals);
    expect(times.toReversed().map(total)).to.deep.equal(totals.toReversed());
    for (const [n, from] of times.entries())
      for (const [m, to] of times.entries())
        expect([from, to].map(total), `${from}, ${to}`).to.deep.equal([totals[n], totals[m]]);
  });

  it('of nothing is zero', () => expect([0, 1].map(runningTotal(merged([]), () => 1))).to.deep.equal([0, 0]));

  it('needs few steps for distant look-ups', () => {
    const many = columnsOf(spans(...Array.from({ length: 4_096 }, (_, n): [number, number] => [n, n + 0.5])));
    let looked = 0;
    const ends = new Proxy(many.ends, {
      get: (target, key) => {
        if (key === 'length') return target.length;
        looked += 1;
        return target[Number(key)];
      },
    });
    const total = runningTotal({ starts: many.starts, ends }, () => 1);
    looked = 0;
    expect([total(4_000.25), total(3), total(4_095)]).to.deep.equal([2_000.25, 1.5, 2_047.5]);
    expect(looked).to.be.below(100);
  });
});
