import { expect } from 'chai';
import { streamCache } from '../../application/commands/cache.js';

const fold = (state: number) => ({ state, revision: 0 });
const names = (count: number) => Array.from({ length: count }, (_, index) => `stream-${index}`);

describe('the cache of streams', () => {
  /** The states are their own weights. */
  const cacheAfter = (weights: ReadonlyArray<number>) => {
    const cache = streamCache<number>((state) => state);
    weights.forEach((weight, index) => cache.set(`stream-${index}`, fold(weight)));
    return names(weights.length).filter((name) => cache.get(name) !== undefined);
  };

  it('remembers the 1,000 usual ones that were used last', () => {
    expect(cacheAfter(Array<number>(1_000).fill(1))).to.have.length(1_000);
    expect(cacheAfter(Array<number>(1_001).fill(1))).to.deep.equal(names(1_001).slice(1));
  });

  it('remembers fewer where they are heavy, and each of them, however heavy', () => {
    expect(cacheAfter(Array<number>(20).fill(100))).to.deep.equal(names(20).slice(10));
    expect(cacheAfter(Array<number>(5).fill(1_000_000))).to.deep.equal(names(5).slice(1));
    expect(cacheAfter([1.2, 0.1])).to.have.length(2);
  });

  it('tells of one that events followed that it is not the newest, also when they were heard of first', () => {
    const cache = streamCache<number>(() => 1);
    cache.set('a', fold(7));
    cache.grew('a', 0);
    expect(cache.newest('a')).to.deep.equal(fold(7));
    cache.grew('a', 1);
    cache.set('a', fold(7));
    expect([cache.newest('a'), cache.get('a')]).to.deep.equal([undefined, fold(7)]);
    cache.set('a', { ...fold(8), revision: 1 });
    expect(cache.newest('a')).to.include({ state: 8 });
  });

  it('forgets one when it is told to', () => {
    const cache = streamCache<number>(() => 1);
    cache.set('a', fold(7));
    expect(cache.get('a')).to.deep.equal(fold(7));
    cache.forget('a');
    expect(cache.get('a')).to.equal(undefined);
  });
});
