import { expect } from 'chai';
import * as fc from 'fast-check';
import { jsonLength, writableLength } from '../../../adapters/runtime/memory.js';

describe('the length of JSON', () => {
  it('is undefined for a value with a number that JSON cannot represent', () => {
    for (const number of [Number.NaN, Infinity, -Infinity])
      for (const value of [number, [1, number, 2], { a: 'x', b: { c: [{ d: number, e: 1 }] }, f: 'y' }])
        expect([writableLength(value, 1_000), jsonLength(value)]).to.deep.equal([null, JSON.stringify(value).length]);
  });

  it('counts five characters for other values than strings, and two for quotes, braces or brackets', () => {
    const cases = [
      [null, 5],
      [1, 5],
      ['abc', 5],
      [['a', 'b'], 2 + 2 * (1 + 3)],
      [{ a: 1, b: [null] }, 2 + (1 + 4 + 5) + (1 + 4 + 2 + 1 + 5)],
    ] as const;
    for (const [value, length] of cases) expect(jsonLength(value), JSON.stringify(value)).to.equal(length);
    expect(
      jsonLength(
        Array.from({ length: 100 }, () => 'x'),
        12,
      ),
    ).to.be.within(13, 20);
  });

  it('is a number for every JSON value', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => writableLength(value, 1_000_000) === jsonLength(value)));
  });
});
