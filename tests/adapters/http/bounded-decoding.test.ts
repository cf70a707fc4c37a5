import { expect } from 'chai';
import * as fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { list } from '../../../adapters/http/codecs/values.js';
import { decodeBody } from '../../../adapters/http/decode.js';
import { Interval } from '../../../domain/kernel/interval.js';
import { shortOrLong } from '../../support/long-form.js';

const limit = 100_000;
const inner = { name: t.string, at: t.union([Interval, t.null]) };
const bounded = t.type({
  rows: list(t.intersection([t.type(inner), t.partial({ more: list(t.number, limit, 'numbers') })]), limit, 'rows'),
});
const plain = t.type({
  rows: t.readonlyArray(t.intersection([t.type(inner), t.partial({ more: t.readonlyArray(t.number) })])),
});

const odd = fc.oneof(fc.constant(null), fc.integer(), fc.string(), fc.constant({}), fc.constant([]));
const row = fc.oneof(
  { weight: 3, arbitrary: fc.record({ name: fc.string(), at: fc.constant(null) }) },
  fc.record({ name: odd, at: odd, more: fc.array(fc.oneof(fc.integer(), odd), { maxLength: 60 }) }),
  odd,
);

describe('decoding that stops early', () => {
  it('reports the same errors as decoding everything', () =>
    fc.assert(
      fc.property(fc.oneof(fc.record({ rows: fc.array(row, { maxLength: 80 }) }), fc.record({ rows: odd })), (body) => {
        const answer = decodeBody(bounded, body);
        expect(answer).to.deep.equal(decodeBody(plain, body));
      }),
      { numRuns: shortOrLong(60, 300) },
    ));

  it('does not decode items after the twenty-first invalid one', () => {
    let looked = 0;
    const item = new t.Type<number>(
      'a number',
      t.number.is,
      (value, context) => {
        looked += 1;
        return t.number.validate(value, context);
      },
      t.identity,
    );
    const answer = decodeBody(t.type({ items: list(item, limit, 'items') }), { items: Array(50_000).fill('wrong') });
    expect(E.isLeft(answer) && answer.left.errors.length).to.equal(20);
    expect(looked).to.equal(21);
  });
});
