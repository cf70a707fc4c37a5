import * as O from 'fp-ts/lib/Option.js';
import * as t from 'io-ts';
import { brandedText } from './ids.js';

interface CreditsBrand {
  readonly Credits: unique symbol;
}

/** An exact amount of credits, in millionths, for calculations. */
export type Credits = bigint & CreditsBrand;

const places = 6;
const unit = 1_000_000n;

const isCredits = (value: bigint): value is Credits => typeof value === 'bigint';

const credits = (count: bigint): Credits => {
  if (isCredits(count)) return count;
  throw new TypeError(`${String(count)} is no whole number of millionths`);
};

export const zeroCredits = credits(0n);

const canonical = /^(?:0|-?(?:[1-9]\d*|0(?=\.\d))(?:\.\d{0,5}[1-9])?)$/;

/** Credits as stored in events and rows: a decimal string in canonical form, such as `-0.05`. */
export const CreditsText = brandedText('CreditsText', (text) => canonical.test(text));
export type CreditsText = t.TypeOf<typeof CreditsText>;

/** The canonical decimal string of an amount: no exponent, no trailing zeros. */
export const creditsText = (amount: Credits): CreditsText => {
  const size = amount < 0n ? 0n - amount : amount;
  const fraction = (size % unit).toString().padStart(places, '0').replace(/0+$/, '');
  const text = `${amount < 0n ? '-' : ''}${size / unit}${fraction === '' ? '' : `.${fraction}`}`;
  if (CreditsText.is(text)) return text;
  throw new TypeError(`${text} is no canonical number of credits`);
};

const millionths = (text: string): bigint => {
  const [whole = '', fraction = ''] = text.replace('-', '').split('.');
  const size = BigInt(whole) * unit + BigInt(fraction.padEnd(places, '0'));
  return text.startsWith('-') ? -size : size;
};

/** Parses a canonical string. */
export const creditsOf = (text: CreditsText): Credits => credits(millionths(text));

/** Maximum of an amount in a request and of a balance. Up to here each amount is exact as a JSON number. */
export const largestCredits = credits(1_000_000_000n * unit - 1n);

export const isWithinRange = (amount: Credits): boolean => amount <= largestCredits && amount >= negate(largestCredits);

const decimal = /^-?(?:0|[1-9]\d{0,8})(?:\.\d{1,6})?$/;

/**
 * Parses a decimal number: at most 9 digits before the point and 6 after it, an optional minus sign, no exponent, no
 * white space. Nothing is rounded: more decimal places give `none`.
 */
export const parseCredits = (text: string): O.Option<Credits> =>
  decimal.test(text) ? O.some(credits(millionths(text))) : O.none;

/**
 * Converts a JSON number by its shortest decimal representation, so that 0.1 is exactly 0.1. Returns `none` for more
 * than 6 decimal places, too large numbers and numbers that are not finite.
 */
export const creditsFromNumber = (number: number): O.Option<Credits> => parseCredits(String(number));

/** Converts to a number: exact up to `largestCredits`, rounded beyond. */
export const creditsNumber = (amount: Credits): number => Number(creditsText(amount));

const codec = <Written>(
  name: string,
  read: (value: unknown) => O.Option<Credits>,
  write: (amount: Credits) => Written,
) =>
  new t.Type<Credits, Written>(
    name,
    (value): value is Credits => typeof value === 'bigint',
    (value, context) => {
      const amount = read(value);
      return O.isSome(amount) ? t.success(amount.value) : t.failure(value, context);
    },
    write,
  );

/** Credits as a JSON number. */
export const CreditsNumber = codec(
  'CreditsNumber',
  (value) => (typeof value === 'number' ? creditsFromNumber(value) : O.none),
  creditsNumber,
);

/** Credits as a canonical string in JSON. */
export const StoredCredits = codec(
  'StoredCredits',
  (value) => (CreditsText.is(value) ? O.some(creditsOf(value)) : O.none),
  creditsText,
);

export const add = (one: Credits, other: Credits): Credits => credits(one + other);
/** Adds millionths of a credit to an amount. */
export const addMillionths = (one: Credits, millionths: bigint): Credits => credits(one + millionths);
export const subtract = (from: Credits, amount: Credits): Credits => credits(from - amount);
export const negate = (amount: Credits): Credits => credits(0n - amount);

const floorDivide = (dividend: bigint, divisor: bigint): bigint => {
  const quotient = dividend / divisor;
  return dividend % divisor < 0n ? quotient - 1n : quotient;
};

/**
 * The cost of `count` units at `price` for every `units` units: `price × count / units`, rounded once, half up, to a
 * millionth. Throws a `RangeError` unless count and units are integers and units is at least 1.
 */
export const priceOf = (price: Credits, count: number, units: number): Credits => {
  if (!Number.isSafeInteger(count) || !Number.isSafeInteger(units) || units < 1)
    throw new RangeError(`no whole numbers: ${count}, ${units}`);
  const per = BigInt(units);
  return credits(floorDivide(2n * price * BigInt(count) + per, 2n * per));
};
