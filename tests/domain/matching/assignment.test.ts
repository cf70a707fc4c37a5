import { expect } from 'chai';
import * as fc from 'fast-check';
import { bestLinks } from '../../../domain/matching/assignment.js';
import { at, type Matrix, tabulate } from '../../../domain/matching/matrix.js';

/** The maximum gain of any one-to-one choice, by brute force. */
const greatestGain = (gains: Matrix, row = 0, taken: ReadonlySet<number> = new Set()): number => {
  if (row === gains.rows) return 0;
  const options = Array.from({ length: gains.columns }, (_, column) => column).filter((column) => !taken.has(column));
  const linked = options.map((c) => at(gains, row, c) + greatestGain(gains, row + 1, new Set([...taken, c])));
  return Math.max(greatestGain(gains, row + 1, taken), ...linked);
};

const anyGains = fc
  .tuple(fc.nat(4), fc.nat(4))
  .chain(([rows, columns]) =>
    fc
      .array(fc.integer({ min: -20, max: 20 }), { minLength: rows * columns, maxLength: rows * columns })
      .map((cells) => tabulate(rows, columns, (row, column) => cells[row * columns + column] ?? 0)),
  );

describe('matching: assignment', () => {
  it('reaches the maximum total gain of all choices', () =>
    fc.assert(
      fc.property(anyGains, (gains) => {
        const gained = bestLinks(gains).reduce((sum, { row, column }) => sum + at(gains, row, column), 0);
        expect(gained).to.equal(greatestGain(gains));
      }),
    ));

  it('links each row and each column at most once', () =>
    fc.assert(
      fc.property(anyGains, (gains) => {
        const links = bestLinks(gains);
        expect(new Set(links.map(({ row }) => row)).size).to.equal(links.length);
        expect(new Set(links.map(({ column }) => column)).size).to.equal(links.length);
      }),
    ));

  it('makes no link without a positive, finite gain', () => {
    const gains = [0, -1, Number.NaN, Infinity];
    expect(bestLinks(tabulate(2, 2, (row, column) => gains[row * 2 + column] ?? 0))).to.deep.equal([]);
  });
});
