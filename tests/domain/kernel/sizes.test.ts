import { expect } from 'chai';
import { emptyBuckets, valuesOf, withEntries } from '../../../domain/kernel/bucketed-map.js';
import { jsonLength } from '../../../adapters/runtime/memory.js';
import { utf8Length } from '../../../domain/kernel/recorded-event.js';

describe('kernel: sizes', () => {
  it('counts the UTF-8 bytes at the limits of each length', () => {
    for (const text of [
      '',
      '\u007f',
      '\u0080',
      '\u07ff',
      '\u0800',
      '\ud7ff',
      '\ue000',
      '\uffff',
      '\u{10000}',
      '\u{10ffff}',
    ])
      expect(utf8Length(text), text).to.equal(Buffer.byteLength(text));
  });

  it('counts five characters for other values than strings, and two for quotes, braces or brackets', () => {
    const cases = [
      [null, 5],
      [true, 5],
      [undefined, 5],
      [1, 5],
      ['abc', 5],
      [[], 2],
      [{}, 2],
      [[1], 2 + 1 + 5],
      [['a', 'b'], 2 + 2 * (1 + 3)],
      [{ abc: 'x' }, 2 + 3 + 4 + 3],
      [{ a: 1, b: [null] }, 2 + (1 + 4 + 5) + (1 + 4 + 2 + 1 + 5)],
    ] as const;
    for (const [value, length] of cases) expect(jsonLength(value), JSON.stringify(value)).to.equal(length);
  });

  it('stops at the limit', () => {
    const looked: string[] = [];
    const noting = (name: string, value: unknown) => ({
      get [name]() {
        looked.push(name);
        return value;
      },
    });
    const list = [noting('a', 'x'), noting('b', 'x')];
    expect(jsonLength(list, 12)).to.be.above(12);
    expect(looked).to.deep.equal(['a']);
    looked.length = 0;
    const record = Object.defineProperties(
      {},
      {
        ...Object.getOwnPropertyDescriptors(noting('c', 'x')),
        ...Object.getOwnPropertyDescriptors(noting('d', 'x')),
      },
    );
    expect(jsonLength(record, 9)).to.be.above(9);
    expect(looked).to.deep.equal(['c']);
    looked.length = 0;
    expect(jsonLength(record, 10)).to.be.above(10);
    expect(looked).to.deep.equal(['c', 'd']);
  });
});

describe('kernel: a bucketed map', () => {
  it('spreads its entries over many buckets', () => {
    const map = withEntries(
      emptyBuckets,
      Array.from({ length: 640 }, (_, n): [string, number] => [`face-${n}`, n]),
    );
    expect(valuesOf(map).length).to.equal(640);
    expect(map.size).to.be.within(48, 64);
    expect(Math.max(...[...map.values()].map((bucket) => bucket.size))).to.be.below(40);
    expect(Math.max(...map.keys())).to.be.below(64);
  });
});
