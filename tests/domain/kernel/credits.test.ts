import { expect } from 'chai';
import * as fc from 'fast-check';
import * as O from 'fp-ts/lib/Option.js';
import {
  type Credits,
  CreditsNumber,
  CreditsText,
  StoredCredits,
  add,
  creditsFromNumber,
  creditsNumber,
  creditsOf,
  creditsText,
  isWithinRange,
  largestCredits,
  negate,
  parseCredits,
  priceOf,
  subtract,
  zeroCredits,
} from '../../../domain/kernel/credits.js';
import { credits } from '../../support/values.js';

const textOf = (parsed: O.Option<Credits>): string | null => (O.isSome(parsed) ? creditsText(parsed.value) : null);

const amounts = fc
  .tuple(fc.boolean(), fc.integer({ min: 0, max: 999_999_999 }), fc.integer({ min: 0, max: 999_999 }))
  .map(([negative, whole, rest]) => credits(`${negative ? '-' : ''}${whole}.${String(rest).padStart(6, '0')}`));

describe('credits', () => {
  it('are parsed from exact strings', () => {
    const read: ReadonlyArray<readonly [text: string, canonical: string]> = [
      ['0', '0'],
      ['-0', '0'],
      ['-0.000', '0'],
      ['0.1', '0.1'],
      ['1.50', '1.5'],
      ['-12.000001', '-12.000001'],
      ['999999999.999999', '999999999.999999'],
    ];
    read.forEach(([text, canonical]) => expect(textOf(parseCredits(text)), text).to.equal(canonical));
  });

  it('are not parsed from anything else', () => {
    const wrong = ['', '-', '.5', '5.', '05', '+1', '1e2', ' 1', '1\n', '0x1', '١'];
    const beyond = ['0.0000001', '0.1000000', '1000000000', '12345678901234567890'];
    [...wrong, ...beyond].forEach((text) => expect(textOf(parseCredits(text)), text).to.equal(null));
  });

  it('are read from the shortest string of a JSON number', () => {
    const read: ReadonlyArray<readonly [number: number, text: string | null]> = [
      [0.1, '0.1'],
      [-0, '0'],
      [1e-6, '0.000001'],
      [1e3, '1000'],
      [999_999_999.999999, '999999999.999999'],
      [0.1 + 0.2, null],
      [1.5e-7, null],
      [1e9, null],
      [Number.MAX_VALUE, null],
      [Number.NaN, null],
    ];
    read.forEach(([number, text]) => expect(textOf(creditsFromNumber(number)), String(number)).to.equal(text));
  });

  it('survive a round trip through strings and JSON', () => {
    const isKept = (amount: Credits): void => {
      const text = creditsText(amount);
      expect(creditsOf(text)).to.equal(amount);
      expect(CreditsText.is(text)).to.equal(true);
      const json: unknown = JSON.parse(JSON.stringify(creditsNumber(amount)));
      expect(creditsFromNumber(Number(json))).to.deep.equal(O.some(amount));
    };
    isKept(largestCredits);
    isKept(negate(largestCredits));
    fc.assert(fc.property(amounts, isKept));
  });

  it('are between minus and plus a billion', () => {
    const beyond = add(largestCredits, credits('0.000001'));
    expect([largestCredits, negate(largestCredits)].map(isWithinRange)).to.deep.equal([true, true]);
    expect([beyond, negate(beyond)].map(isWithinRange)).to.deep.equal([false, false]);
  });

  it('are JSON numbers in answers, and canonical strings where they are stored', () => {
    for (const value of ['1.5', 1n, null, 1e-7]) expect(CreditsNumber.decode(value)._tag).to.equal('Left');
    for (const value of [1.5, '1.50', 1n, null]) expect(StoredCredits.decode(value)._tag).to.equal('Left');
    expect(CreditsNumber.decode(1.5)).to.deep.include({ right: credits('1.5') });
    expect(StoredCredits.decode('1.5')).to.deep.include({ right: credits('1.5') });
    expect([CreditsNumber.encode(credits('-2.25')), StoredCredits.encode(credits('-2.25'))]).to.deep.equal([
      -2.25,
      '-2.25',
    ]);
  });

  it('have one canonical string each', () => {
    for (const text of ['-0', '1.50', '1.']) expect(CreditsText.is(text), text).to.equal(false);
    fc.assert(
      fc.property(amounts, amounts, (one, other) => {
        expect(creditsText(one) === creditsText(other)).to.equal(one === other);
      }),
    );
  });

  it('are added and subtracted without drift', () => {
    const tenth = credits('0.1');
    const sum = Array.from({ length: 10 }).reduce<Credits>((total) => add(total, tenth), zeroCredits);
    expect(sum).to.equal(credits('1'));
    fc.assert(
      fc.property(amounts, amounts, (one, other) => {
        expect(subtract(add(one, other), other)).to.equal(one);
        expect(add(one, negate(one))).to.equal(zeroCredits);
        expect(one < other).to.equal(subtract(one, other) < zeroCredits);
      }),
    );
  });

  it('are priced by the unit, a half rounded up', () => {
    const priced: ReadonlyArray<readonly [price: string, count: number, units: number, due: string]> = [
      ['0.02', 1_500, 1_000, '0.03'],
      ['0.000001', 499, 1_000, '0'],
      ['0.000001', 500, 1_000, '0.000001'],
      ['0.000003', 500, 1_000, '0.000002'],
      ['-0.000003', 500, 1_000, '-0.000001'],
      ['1', 1, 3, '0.333333'],
      ['2', 1, 3, '0.666667'],
      ['5', 0, 60, '0'],
    ];
    priced.forEach(([price, count, units, due]) =>
      expect(creditsText(priceOf(credits(price), count, units)), `${price} × ${count} / ${units}`).to.equal(due),
    );
    for (const [count, units] of [
      [1.5, 1],
      [1, 1.5],
      [1, 0],
      [2 ** 53, 1],
      [Number.NaN, 1],
    ] as const)
      expect(() => priceOf(credits('1'), count, units)).to.throw(RangeError, `${count}, ${units}`);
  });

  it('are priced to less than a millionth of the exact price', () => {
    const counts = fc.integer({ min: 0, max: 10_000_000 });
    fc.assert(
      fc.property(amounts, counts, fc.integer({ min: 1, max: 1_000 }), (price, count, units) => {
        const error = priceOf(price, count, units) * BigInt(units) - price * BigInt(count);
        expect(2n * error <= BigInt(units) && 2n * error > -BigInt(units)).to.equal(true);
      }),
    );
  });
});
