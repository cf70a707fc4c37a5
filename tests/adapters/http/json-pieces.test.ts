import { expect } from 'chai';
import * as fc from 'fast-check';
import { isLonger, jsonPieces } from '../../../adapters/http/sending/json-pieces.js';

describe('JSON in pieces', () => {
  it('is the same as the result of JSON.stringify when joined', () => {
    const filler = fc.integer({ min: 0, max: 50_000 }).map((length) => 'x"\n'.repeat(length));
    const large = fc.array(fc.oneof(fc.jsonValue(), filler), { maxLength: 20 });
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.oneof(large, fc.jsonValue(), fc.constant(undefined))), (value) => {
        expect([...jsonPieces(value)].join('')).to.equal(JSON.stringify(value));
        expect([...jsonPieces([value, []])].join('')).to.equal(JSON.stringify([value, []]));
      }),
    );
  });

  it('has pieces of limited size', () => {
    const faces = Array.from({ length: 10_000 }, (_, id) => ({ id, traits: { text: 'x'.repeat(500) } }));
    const pieces = [...jsonPieces({ faces, name: 'crowd' })];
    expect(Math.max(...pieces.map(({ length }) => length))).to.be.below(100_000);
    expect(pieces.length).to.be.greaterThan(50);
  });

  it('determines whether a value is long without reading all of it', () => {
    expect(isLonger({ a: 'x'.repeat(100) }, 100)).to.equal(true);
    expect(isLonger({ a: 'x'.repeat(50), b: [1, 2, null] }, 100)).to.equal(false);
  });
});
