import * as E from 'fp-ts/lib/Either.js';

const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** The longest recording, about 31 years. Sums of such times are still exact to the microsecond. */
export const maxSeconds = 1e9;

/** Parses a finite decimal number, or says what is wrong with it. `name`: the field in the format. */
export const readNumber = (name: string, text: string): E.Either<string, number> => {
  const value = decimal.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? E.right(value) : E.left(`${name} ${JSON.stringify(text)} is not a finite number`);
};

/** Checks that a number of seconds is possible in a recording. */
export const asSeconds = (name: string, value: number): E.Either<string, number> => {
  if (!Number.isFinite(value)) return E.left(`${name} ${value} is not a finite number`);
  if (value < 0) return E.left(`${name} ${value} is negative`);
  if (value > maxSeconds) return E.left(`${name} ${value} is more seconds than a recording can have`);
  return E.right(value);
};

/** Parses a number of seconds that is possible in a recording. */
export const readSeconds = (name: string, text: string): E.Either<string, number> => {
  const value = readNumber(name, text);
  return E.isLeft(value) ? value : asSeconds(name, value.right);
};

/** Rounds to the microsecond, which removes the rounding errors of decimal fractions. */
export const toMicrosecond = (seconds: number): number => Math.round(seconds * 1e6) / 1e6;

/** A copy of a string. A slice would keep the whole block of text in memory from which it was taken. */
export const copyOf = (text: string): string => Buffer.from(text).toString();
