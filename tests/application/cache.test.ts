import { expect } from 'chai';
import { streamCache } from '../../application/commands/cache.js';

const fold = (state: number) => ({ state, revision: 0 });
const names = (count: number) => Array.from({ length: count }, (_, index) => `stream-${index}`);

describe('the cache of folds', () => {
  /** Each state is its own weight. */
  const cacheAfter = (weights: ReadonlyArray<number>) => {
    const cache = streamCache<number>((state) => state);
    weights.forEach((weight, index) => cache.set(`stream-${index}`, fold(weight)));
    return names(weights.length).filter((name) => cache.get(name) !== undefined);
  };

  it('keeps the 1,000 most recently used folds of usual weight', () => {
    expect(cacheAfter(Array<number>(1_000).fill(1))).to.have.length(1_000);
    expect(cacheAfter(Array<number>(1_001).fill(1))).to.deep.equal(names(1_001).slice(1));
  });

  it('keeps fewer when folds are heavy, but always the newest', () => {
    expect(cacheAfter(Array<number>(20).fill(100))).to.deep.equal(names(20).slice(10));
    expect(cacheAfter(Array<number>(5).fill(1_000_000))).to.deep.equal(names(5).slice(1));
    expect(cacheAfter([1.2, 0.1])).to.have.length(2);
  });

  it('does not return a fold as current when later events are known, even if these were known first', () => {
    const cache = streamCache<number>(() => 1);
    cache.set('a', fold(7));
    cache.noteRevision('a', 0);
    expect(cache.getCurrent('a')).to.deep.equal(fold(7));
    cache.noteRevision('a', 1);
    cache.set('a', fold(7));
    expect([cache.getCurrent('a'), cache.get('a')]).to.deep.equal([undefined, fold(7)]);
    cache.set('a', { ...fold(8), revision: 1 });
    expect(cache.getCurrent('a')).to.include({ state: 8 });
  });

  it('removes a fold on request', () => {
    const cache = streamCache<number>(() => 1);
    cache.set('a', fold(7));
    expect(cache.get('a')).to.deep.equal(fold(7));
    cache.delete('a');
    expect(cache.get('a')).to.equal(undefined);
  });
});
