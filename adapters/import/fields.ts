import * as E from 'fp-ts/lib/Either.js';

const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** No recording is longer: some 31 years. Sums of such times still keep microseconds. */
export const longestSeconds = 1e9;

/** A finite decimal number, or a text that says what is wrong with it. `name` is what the format calls the field. */
export const readNumber = (name: string, text: string): E.Either<string, number> => {
  const value = decimal.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? E.right(value) : E.left(`${name} ${JSON.stringify(text)} is not a finite number`);
};

/** A finite number of seconds that a recording can have. */
export const asSeconds = (name: string, value: number): E.Either<string, number> => {
  if (!Number.isFinite(value)) return E.left(`${name} ${value} is not a finite number`);
  if (value < 0) return E.left(`${name} ${value} is negative`);
  if (value > longestSeconds) return E.left(`${name} ${value} is more seconds than a recording can have`);
  return E.right(value);
};

/** A decimal number of seconds that a recording can have. */
export const readSeconds = (name: string, text: string): E.Either<string, number> => {
  const value = readNumber(name, text);
  return E.isLeft(value) ? value : asSeconds(name, value.right);
};

const short = /^-?\d{1,15}(?:\.\d{1,30})?$/;

/** Why this text is no finite number, or null. Usual numbers are not even converted: files have millions. */
export const numberFault = (name: string, text: string): string | null => {
  if (short.test(text)) return null;
  const value = readNumber(name, text);
  return E.isLeft(value) ? value.left : null;
};

/** The fields between the commas, in less time than `split` takes for lines of a large file. */
export const cutAtCommas = (line: string): ReadonlyArray<string> => {
  const fields: string[] = [];
  let start = 0;
  for (let comma = line.indexOf(','); comma !== -1; comma = line.indexOf(',', start)) {
    fields.push(line.slice(start, comma));
    start = comma + 1;
  }
  fields.push(line.slice(start));
  return fields;
};

/** Times are kept to the microsecond, so that sums of decimal fractions look as they should. */
export const toMicrosecond = (seconds: number): number => Math.round(seconds * 1e6) / 1e6;

/** The same text without a hold on the block of file text that it was cut from, so that the block can be freed. */
export const detached = (text: string): string => Buffer.from(text).toString();
