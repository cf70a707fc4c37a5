import { expect } from 'chai';
import * as fc from 'fast-check';
import { jsonLength, writableLength } from '../../../adapters/runtime/memory.js';

describe('the length of JSON', () => {
  it('is undefined for a value with a number that JSON cannot represent', () => {
    for (const number of [Number.NaN, Infinity, -Infinity])
      for (const value of [number, [1, number, 2], { a: 'x', b: { c: [{ d: number, e: 1 }] }, f: 'y' }])
        expect([writableLength(value, 1_000), jsonLength(value)]).to.deep.equal([null, JSON.stringify(value).length]);
  });

  it('is a number for every JSON value', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => writableLength(value, 1_000_000) === jsonLength(value)));
  });
});
