import type * as t from 'io-ts';
import { brandedText } from './ids.js';

const rfc3339Utc = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;

/** A point in time as an RFC 3339 string in UTC with milliseconds. Such strings sort chronologically. */
export const Timestamp = brandedText('Timestamp', (text) => rfc3339Utc.test(text));
export type Timestamp = t.TypeOf<typeof Timestamp>;

const writtenTime =
  /^(\d{4}-\d{2}-\d{2})(?:[Tt ](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d))?$/;

/** Whether the date exists: `Date` turns 30 February into 2 March. */
const isDay = (text: string): boolean => {
  const start = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(start) && new Date(start).toISOString().startsWith(text);
};

/**
 * Parses RFC 3339, also without seconds; null if invalid. A time of day needs an offset, otherwise it would be read in
 * local time. A date alone means its start in UTC.
 */
export const readTimestamp = (text: string): Timestamp | null => {
  const day = writtenTime.exec(text)?.[1];
  if (day === undefined || !isDay(day)) return null;
  const time = new Date(text.toUpperCase().replace(' ', 'T')).toISOString();
  return Timestamp.is(time) ? time : null;
};

/** Seconds between two points in time; negative if `to` is earlier. */
export const secondsBetween = (from: Timestamp, to: Timestamp): number => (Date.parse(to) - Date.parse(from)) / 1000;

/** The point in time `seconds` after another. Throws a `RangeError` outside the range of RFC 3339. */
export const secondsAfter = (from: Timestamp, seconds: number): Timestamp => {
  const text = new Date(Date.parse(from) + Math.round(seconds * 1000)).toISOString();
  if (Timestamp.is(text)) return text;
  throw new RangeError(`${text} is beyond the years of RFC 3339`);
};

/** The latest of these times; null if there is none. */
export const latest = (times: ReadonlyArray<Timestamp | null>): Timestamp | null =>
  times.reduce<Timestamp | null>((max, time) => (max === null || (time ?? '') > max ? time : max), null);

/** Returns `at` if it is later than all of these, otherwise one millisecond after the latest. */
export const laterThan = (at: Timestamp, earlier: ReadonlyArray<Timestamp | null>): Timestamp => {
  const last = latest(earlier);
  if (last === null || at > last) return at;
  const next = new Date(Date.parse(last) + 1).toISOString();
  return Timestamp.is(next) ? next : at;
};
