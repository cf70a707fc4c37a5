import { expect } from 'chai';
import * as fc from 'fast-check';
import { type BucketedMap, emptyBuckets, valueIn, valuesOf, withEntries } from '../../../domain/kernel/bucketed-map.js';

const key = fc.oneof(
  fc.nat(200).map((n) => `k${n}`),
  fc.constantFrom('', '__proto__', 'constructor'),
);
const changes = fc.array(fc.array(fc.tuple(key, fc.option(fc.nat(3))), { maxLength: 40 }), { maxLength: 12 });

describe('a bucketed map', () => {
  it('behaves like a map, and leaves its earlier versions unchanged', () =>
    fc.assert(
      fc.property(changes, (rounds) => {
        const model = new Map<string, number>();
        let map: BucketedMap<string, number> = emptyBuckets;
        const earlier: Array<readonly [BucketedMap<string, number>, ReadonlyArray<number>]> = [];
        for (const round of rounds) {
          earlier.push([map, valuesOf(map)]);
          map = withEntries(map, round);
          for (const [at, value] of round)
            if (value === null) model.delete(at);
            else model.set(at, value);
          expect(valuesOf(map).length).to.equal(model.size);
          expect(valuesOf(map)).to.have.members([...model.values()]);
          round.forEach(([at]) => expect(valueIn(map, at)).to.equal(model.get(at)));
        }
        earlier.forEach(([before, values]) => expect(valuesOf(before)).to.deep.equal(values));
      }),
    ));

  it('without entries equals the empty one', () =>
    expect(withEntries(withEntries(emptyBuckets, [['a', 1]]), [['a', null]])).to.deep.equal(emptyBuckets));
});
