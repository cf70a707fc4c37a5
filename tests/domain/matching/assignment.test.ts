import { expect } from 'chai';
import * as fc from 'fast-check';
import { bestLinks, jointLogOdds } from '../../../domain/matching/assignment.js';
import { at, type Matrix, tabulate } from '../../../domain/matching/matrix.js';

/** The maximum gain of any one-to-one choice: of all choices, by the set of columns that are taken. */
const greatestGain = (gains: Matrix): number => {
  let best: ReadonlyArray<number> = Array.from({ length: 2 ** gains.columns }, () => 0);
  for (let row = 0; row < gains.rows; row += 1) {
    const before = best;
    best = before.map((unlinked, taken) =>
      Array.from({ length: gains.columns }, (_, column) => column)
        .filter((column) => (taken & (1 << column)) !== 0)
        .reduce((most, c) => Math.max(most, (before[taken ^ (1 << c)] ?? 0) + at(gains, row, c)), unlinked),
    );
  }
  return Math.max(...best);
};

const tables = (gain: fc.Arbitrary<number>) =>
  fc
    .oneof(fc.tuple(fc.nat(7), fc.nat(7)), fc.constantFrom([9, 10] as const, [10, 9] as const))
    .chain(([rows, columns]) =>
      fc
        .array(gain, { minLength: rows * columns, maxLength: rows * columns })
        .map((cells) => tabulate(rows, columns, (row, column) => cells[row * columns + column] ?? 0)),
    );

/** Many equal ones; hardly any equal ones; those of ids that are together nearly all the time. */
const anyGains = fc.oneof(
  tables(fc.integer({ min: -2, max: 3 })),
  tables(fc.integer({ min: -200_000, max: 400_000 })),
  tables(fc.integer({ min: 10_000_000_000, max: 10_000_100_000 })),
  tables(fc.integer({ min: -1_000, max: 1_000 }).map((n) => n / 64)),
);

describe('matching: assignment', () => {
  it('links rows and columns at most once, by row, with the maximum total gain of all choices', () =>
    fc.assert(
      fc.property(anyGains, (gains) => {
        const links = bestLinks(gains);
        const rows = links.map(({ row }) => row);
        expect(rows).to.deep.equal([...new Set(rows)].sort((one, other) => one - other));
        expect(new Set(links.map(({ column }) => column)).size).to.equal(rows.length);
        expect(links.reduce((sum, { row, column }) => sum + at(gains, row, column), 0)).to.equal(greatestGain(gains));
      }),
    ));

  it('makes no link without a positive, finite gain', () => {
    const gains = [0, -1, Number.NaN, Infinity];
    expect(bestLinks(tabulate(2, 2, (row, column) => gains[row * 2 + column] ?? 0))).to.deep.equal([]);
  });
});

type Chosen = ReadonlyMap<number, number>;

/** Every one-to-one choice of faces for speakers, nobody included, with the product of its odds. */
const choices = (logOdds: Matrix, row = 0, taken: Chosen = new Map()): readonly (readonly [Chosen, number])[] => {
  if (row === logOdds.rows) {
    const weight = [...taken].reduce((product, [column, by]) => product * Math.exp(at(logOdds, by, column)), 1);
    return [[taken, weight]];
  }
  const options = Array.from({ length: logOdds.columns }, (_, column) => column).filter(
    (column) => !taken.has(column) && at(logOdds, row, column) > -Infinity,
  );
  return [
    ...choices(logOdds, row + 1, taken),
    ...options.flatMap((column) => choices(logOdds, row + 1, new Map([...taken, [column, row]]))),
  ];
};

/** Clamps probabilities to the limits of certainty. */
const exactLogOdds = (logOdds: Matrix, row: number, column: number): number => {
  const all = choices(logOdds);
  const total = all.reduce((sum, [, weight]) => sum + weight, 0);
  const held = all.reduce((sum, [chosen, weight]) => (chosen.get(column) === row ? sum + weight : sum), 0);
  const surest = Math.log(1e4 - 1);
  return Math.min(surest, Math.max(-surest, Math.log(held / (total - held))));
};

const tableOf = (rows: readonly (readonly number[])[]): Matrix =>
  tabulate(rows.length, rows[0]?.length ?? 0, (i, j) => rows[i]?.[j] ?? 0);

const anyLogOdds = fc.double({ min: -4, max: 4, noNaN: true });

describe('matching: joint odds', () => {
  it('given one speaker, they equal the marginals over all choices', () =>
    fc.assert(
      fc.property(fc.array(anyLogOdds, { minLength: 1, maxLength: 5 }), (faces) => {
        const table = tableOf([faces]);
        const joint = jointLogOdds(table);
        faces.forEach((_, j) => expect(at(joint, 0, j)).to.be.closeTo(exactLogOdds(table, 0, j), 1e-6));
      }),
    ));

  it('given a chain of rivals, they equal the marginals over all choices, and impossible pairs stay impossible', () =>
    fc.assert(
      fc.property(fc.tuple(anyLogOdds, anyLogOdds, anyLogOdds, anyLogOdds), ([a, b, c, d]) => {
        const table = tableOf([
          [a, b, -Infinity],
          [-Infinity, c, d],
        ]);
        const joint = jointLogOdds(table);
        expect(at(joint, 0, 1)).to.be.closeTo(exactLogOdds(table, 0, 1), 1e-6);
        expect(at(joint, 1, 2)).to.be.closeTo(exactLogOdds(table, 1, 2), 1e-6);
        expect([at(joint, 0, 2), at(joint, 1, 0)]).to.deep.equal([-Infinity, -Infinity]);
      }),
    ));
});
