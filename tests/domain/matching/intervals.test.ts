import { expect } from 'chai';
import * as fc from 'fast-check';
import type { Interval } from '../../../domain/kernel/interval.js';
import {
  columnsOf,
  forEachOverlap,
  type Intervals,
  merged,
  sharedSeconds,
  spansOf,
  union,
  widened,
} from '../../../domain/matching/intervals.js';
import { type Presence, continuations } from '../../../domain/matching/continuations.js';
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

  it('are extended, and then merged where they touch', () => {
    const extended = widened(spansOf([merged(spans([1, 2], [4, 6]))]), 1);
    expect(intervalsOf(extended)).to.deep.equal(spans([0, 7]));
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

type Times = ReadonlyArray<readonly [start: number, end: number]>;
const presence = (all: Readonly<Record<number, Times>>): ReadonlyArray<Presence> =>
  Object.entries(all).map(([id, times]) => ({
    id: Number(id),
    present: merged(times.map(([start, end]) => ({ start, end }))),
  }));
const continued = (before: Readonly<Record<number, Times>>, after: Readonly<Record<number, Times>>) =>
  continuations(presence(before), presence(after)).map(({ from, to, seconds }) => [from, to, seconds]);

describe('matching: which ids of a newer analysis continue earlier ones', () => {
  it('are those that share the most seconds', () =>
    expect(continued({ 0: [[0, 10]], 1: [[10, 15]] }, { 0: [[10, 15]], 1: [[0, 9]] })).to.deep.equal([
      [1, 0, 5],
      [0, 1, 9],
    ]));

  it('need half of the shorter one, exactly half included', () => {
    expect(continued({ 0: [[0, 4]] }, { 7: [[2, 20]] })).to.deep.equal([[0, 7, 2]]);
    expect(continued({ 0: [[0, 4]] }, { 7: [[2.001, 20]] })).to.deep.equal([]);
    expect(continued({ 0: [[0.1, 0.3]] }, { 7: [[0.2, 5]] })).to.deep.equal([[0, 7, 0.1]]);
  });

  it('are the same number where one of the two has no seconds, unless that continues another', () => {
    expect(continued({ 0: [], 1: [[0, 5]], 2: [] }, { 0: [[0, 5]], 1: [], 2: [[7, 7]], 3: [] })).to.deep.equal([
      [1, 0, 5],
      [2, 2, 0],
    ]);
    expect(continued({ 0: [[0, 5]], 1: [] }, { 0: [], 1: [[9, 12]] })).to.deep.equal([
      [0, 0, 0],
      [1, 1, 0],
    ]);
  });

  it('are one to one, with the largest total of all choices, and of equal totals the one that keeps most numbers', () => {
    const times = fc
      .array(fc.tuple(fc.nat(12), fc.nat(4)), { maxLength: 3 })
      .map((all) => all.map(([start, length]) => [start, start + length] as const));
    const ids = fc.dictionary(fc.constantFrom('0', '1', '2', '3'), times);
    fc.assert(
      fc.property(ids, ids, (before, after) => {
        const seconds = (all: Times) =>
          new Set(all.flatMap(([from, to]) => Array.from({ length: to - from }, (_, n) => from + n)));
        const sets = (all: Readonly<Record<string, Times>>) =>
          Object.entries(all).flatMap(([id, one]) =>
            seconds(one).size === 0 ? [] : [[Number(id), seconds(one)] as const],
          );
        const [was, is] = [sets(before), sets(after)];
        const shared = (a: ReadonlySet<number>, b: ReadonlySet<number>) => [...a].filter((n) => b.has(n)).length;
        /** The total, and the numbers kept, of the best choice: by trying them all. */
        const best = (row: number, taken: ReadonlySet<number>): readonly [number, number] => {
          const entry = was[row];
          if (entry === undefined) return [0, 0];
          const [from, mine] = entry;
          return is.reduce(
            (found, [to, theirs]): readonly [number, number] => {
              const both = shared(mine, theirs);
              if (taken.has(to) || both === 0 || 2 * both < Math.min(mine.size, theirs.size)) return found;
              const [total, kept] = best(row + 1, new Set([...taken, to]));
              const option = [total + both, kept + Number(from === to)] as const;
              return option[0] > found[0] || (option[0] === found[0] && option[1] > found[1]) ? option : found;
            },
            best(row + 1, taken),
          );
        };
        const found = continuations(presence(before), presence(after));
        const timed = found.filter(({ seconds: some }) => some > 0);
        expect([
          timed.reduce((sum, { seconds: some }) => sum + some, 0),
          timed.filter(({ from, to }) => from === to).length,
        ]).to.deep.equal(best(0, new Set()));
        expect(new Set(found.map(({ from }) => from)).size).to.equal(found.length);
        expect(new Set(found.map(({ to }) => to)).size).to.equal(found.length);
      }),
    );
  });
});
