import { expect } from 'chai';
import { weightOf } from '../../../domain/kernel/size.js';

describe('the weight of a state', () => {
  const text = 'x'.repeat(80_000);

  it('is 1 for a usual one, and one more for each 80,000 characters', () => {
    expect(weightOf({}, [])).to.be.closeTo(1, 0.001);
    expect(weightOf({ a: text }, [text, text])).to.be.closeTo(4, 0.001);
  });

  it('counts what is in maps, and in maps of maps', () => {
    const inner = new Map([
      ['a', { text }],
      ['b', { text }],
    ]);
    expect(weightOf(new Map([[1, inner]]), inner)).to.be.closeTo(5, 0.001);
    expect(weightOf(new Map([['a', 1]]))).to.be.closeTo(1, 0.001);
  });
});
