import { type Place, refuse } from './format.js';

const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** The longest recording, about 31 years. Sums of such times are still exact to the microsecond. */
const maxSeconds = 1e9;

/** The finite decimal number that a text is; null for any other text. */
export const decimalIn = (text: string): number | null => {
  const value = decimal.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? value : null;
};

/** The number that a text has to be. `name`: the field in the format. */
export const numberAt = (place: Place, name: string, text = ''): number =>
  decimalIn(text) ?? refuse(place, `${name} ${JSON.stringify(text)} is not a finite number`);

/** Why a number of seconds is not possible in a recording; null if it is. */
export const faultOfSeconds = (value: number): string | null => {
  if (!Number.isFinite(value)) return `${value} is not a finite number`;
  if (value < 0) return `${value} is negative`;
  return value > maxSeconds ? `${value} is more seconds than a recording can have` : null;
};

/** Rounds to the microsecond, which removes the rounding errors of decimal fractions. */
export const toMicrosecond = (seconds: number): number => Math.round(seconds * 1e6) / 1e6;

/** Seconds that have to be possible in a recording, rounded. `name`: the field in the format. */
export const secondsAt = (place: Place, name: string, value: number): number => {
  const fault = faultOfSeconds(value);
  return fault === null ? toMicrosecond(value) : refuse(place, `${name} ${fault}`);
};

/** A copy of a string. A slice would keep the whole block of text in memory from which it was taken. */
export const copyOf = (text: string): string => Buffer.from(text).toString();
