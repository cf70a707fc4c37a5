import { createHash } from 'node:crypto';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { dataOfShaped, shapedData } from '../../adapters/event-store/sealed/shaped-data.js';
import { shapes } from '../../adapters/event-store/sealed/shapes.js';
import { JsonObject } from '../../domain/kernel/json.js';
import { isPersonal } from '../../domain/personal-data.js';
import { shortOrLong } from '../support/long-form.js';
import { recordedLines } from '../support/recorded-events.js';

const first = 9;
const namesOf = (index: number): ReadonlyArray<string> => Object.keys(shapes[index]?.(() => null) ?? {});

/** A copy of the result outside the shared buffer; null where JSON serves better. */
const written = (data: JsonObject): Buffer | null => {
  const bytes = shapedData(first, data);
  return bytes === null ? null : Buffer.from(bytes);
};
/** Data that is large enough for the shaped form, with any value in it. */
const around = (value: unknown): JsonObject => {
  const named = Object.fromEntries(namesOf(34).map((name) => [name, null]));
  const data = { ...named, changes: Array.from({ length: 30 }, () => ({ before: null, after: null })), matches: value };
  const parse: (text: string) => JsonObject = JSON.parse;
  return parse(JSON.stringify(data));
};
const givenBack = (data: JsonObject): void => {
  const bytes = written(data);
  expect(bytes?.[0]).to.equal(first);
  expect(JSON.stringify(dataOfShaped(bytes ?? Buffer.alloc(0)))).to.equal(JSON.stringify(data));
};

const leaves = fc.oneof(
  fc.constantFrom(null, true, false, 0, 47, 48, 255, 256, 65_535, 65_536, -1, 1.5, 2 ** 53, Number.MAX_VALUE),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom('', 'Ada', 'Zoë', 'x'.repeat(79), 'x'.repeat(80), 'é'.repeat(40), '🙂'.repeat(20)),
  fc.string({ unit: 'grapheme' }),
);
const values = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    leaves,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.string(), tie('value'), { maxKeys: 4 }),
    fc
      .tuple(fc.nat(shapes.length - 1), fc.array(tie('value'), { minLength: 10, maxLength: 10 }))
      .map(([index, parts]) => Object.fromEntries(namesOf(index).map((name, place) => [name, parts[place]]))),
  ),
})).value;

describe('data in the shaped form', () => {
  it('has shapes that never change', () => {
    const text = shapes
      .slice(0, 40)
      .map((_, index) => namesOf(index).join(' '))
      .join('\n');
    expect(createHash('sha256').update(text).digest('hex')).to.equal(
      '617ca10a8a5efcd0b416ae9c5e1e8f42e5d66399da906d5a084f9a1b10d5a676',
    );
    expect(shapes.length).to.be.at.most(112);
    expect(new Set(shapes.map((_, index) => namesOf(index).join())).size).to.equal(shapes.length);
  });

  it('can be read back unchanged, with fields in order, or is left to JSON', () => {
    let count = 0;
    fc.assert(
      fc.property(values, (value) => {
        const data = around(value);
        const bytes = written(data);
        if (bytes === null) return;
        count += 1;
        expect(JSON.stringify(dataOfShaped(bytes))).to.equal(JSON.stringify(data));
      }),
      { numRuns: shortOrLong(1_000, 20_000) },
    );
    expect(count).to.be.greaterThan(100);
  });

  it('is the form of most recorded personal events, in less than half the length of their JSON', () => {
    const personal = recordedLines('recorded-events.v1.ndjson').filter(({ type }) => isPersonal(type));
    const shorter = personal.filter(({ data }) => {
      if (!JsonObject.is(data)) throw new Error('no object');
      const bytes = written(data);
      if (bytes !== null) expect(dataOfShaped(bytes)).to.deep.equal(data);
      return bytes !== null && bytes.length < JSON.stringify(data).length / 2;
    });
    expect(shorter.length).to.be.greaterThan(personal.length / 2);
  });

  it('distinguishes more than 256 texts, and lists up to 255 values', () => {
    const numbered = (count: number): ReadonlyArray<string> =>
      Array.from({ length: count }, (_, at) => at.toString(36));
    const again = [...numbered(150), 'Person A', 'Person A', ...numbered(100)];
    givenBack(around(again));
    givenBack({ ...around(null), candidate_run_ids: numbered(200), replaced: numbered(255).toReversed() });
    expect(written(around(Array.from({ length: 255 }, () => null)))).not.to.equal(null);
    expect(written(around(Array.from({ length: 256 }, () => null)))).to.equal(null);
  });

  it('leaves to JSON what is long, deep, hardly shorter, or not faithfully represented by JSON', () => {
    const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)]);
    givenBack(around(nested(30)));
    expect(written(around(nested(31)))).to.equal(null);
    expect(written({ title: 'a title that no other event has' })).to.equal(null);
    expect(written(around('x'.repeat(4_000)))).to.equal(null);
    const repeated = (count: number): JsonObject => around(Array.from({ length: count }, () => 'x'.repeat(70)));
    givenBack(repeated(30));
    expect(written(repeated(60))).to.equal(null);
    const prototype: unknown = JSON.parse('{"__proto__":1}');
    const withoutPrototype: unknown = Object.create(null);
    const others = [undefined, Number.NaN, Infinity, '\ud800', new Date(0), () => 1, prototype, withoutPrototype];
    for (const other of others) expect(written(Object.assign(around(null), { matches: other }))).to.equal(null);
  });

  it('is read completely or not at all', () => {
    const bytes = written(around(['Ada', 1.5, 300, 'x'.repeat(90), { openness: 1 }])) ?? Buffer.alloc(0);
    for (let length = 0; length < bytes.length; length += 1)
      expect(() => dataOfShaped(bytes.subarray(0, length))).to.throw();
    expect(() => dataOfShaped(Buffer.concat([bytes, Buffer.of(0)]))).to.throw();
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (some) => {
        try {
          expect(JSON.stringify(dataOfShaped(Buffer.from(some))).length).to.be.lessThan(300 * 200);
        } catch (error) {
          expect(error).to.be.instanceOf(Error);
        }
      }),
      { numRuns: shortOrLong(1_000, 100_000) },
    );
  });
});
