import { expect } from 'chai';
import * as fc from 'fast-check';
import { jointLogOdds } from '../../../domain/matching/joint-odds.js';
import { at, type Matrix, tabulate } from '../../../domain/matching/matrix.js';

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
  it('a pair alone keeps its odds', () => {
    expect(at(jointLogOdds(tableOf([[1.5]])), 0, 0)).to.be.closeTo(1.5, 1e-9);
  });

  it('given one speaker, they equal the marginals over all choices', () =>
    fc.assert(
      fc.property(fc.array(anyLogOdds, { minLength: 1, maxLength: 5 }), (faces) => {
        const table = tableOf([faces]);
        const joint = jointLogOdds(table);
        faces.forEach((_, j) => expect(at(joint, 0, j)).to.be.closeTo(exactLogOdds(table, 0, j), 1e-6));
      }),
    ));

  it('given a chain of rivals, they equal the marginals over all choices', () =>
    fc.assert(
      fc.property(fc.tuple(anyLogOdds, anyLogOdds, anyLogOdds, anyLogOdds), ([a, b, c, d]) => {
        const table = tableOf([
          [a, b, -Infinity],
          [-Infinity, c, d],
        ]);
        const joint = jointLogOdds(table);
        expect(at(joint, 0, 1)).to.be.closeTo(exactLogOdds(table, 0, 1), 1e-6);
        expect(at(joint, 1, 2)).to.be.closeTo(exactLogOdds(table, 1, 2), 1e-6);
      }),
    ));

  it('a more certain rival makes a pair less likely, and impossible pairs stay impossible', () => {
    const joint = jointLogOdds(
      tableOf([
        [1, 4],
        [3, -Infinity],
      ]),
    );
    expect(at(joint, 0, 0)).to.be.below(1);
    expect(at(joint, 1, 0)).to.be.above(at(joint, 0, 0));
    expect(at(joint, 1, 1)).to.equal(-Infinity);
  });
});
