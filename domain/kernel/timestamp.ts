import * as t from 'io-ts';

interface TimestampBrand {
  readonly Timestamp: unique symbol;
}

const rfc3339Utc = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;

/** A point in time as an RFC 3339 text in UTC with milliseconds; such texts sort as the times do. */
export const Timestamp = t.brand(
  t.string,
  (s): s is t.Branded<string, TimestampBrand> => rfc3339Utc.test(s),
  'Timestamp',
);
export type Timestamp = t.TypeOf<typeof Timestamp>;

const writtenTime =
  /^(\d{4}-\d{2}-\d{2})(?:[Tt ](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d))?$/;

/** What the calendar has: `Date` takes a 30 February for a 2 March. */
const isDay = (text: string): boolean => {
  const start = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(start) && new Date(start).toISOString().startsWith(text);
};

/**
 * The time that a text tells; null when it tells none. RFC 3339: a time of day has its offset, or else it would be
 * taken for the reader's own; a day alone begins in UTC.
 */
export const readTimestamp = (text: string): Timestamp | null => {
  const day = writtenTime.exec(text)?.[1];
  if (day === undefined || !isDay(day)) return null;
  const time = new Date(text.toUpperCase().replace(' ', 'T')).toISOString();
  return Timestamp.is(time) ? time : null;
};

/** Seconds from one point in time to another; negative when `to` is the earlier one. */
export const secondsBetween = (from: Timestamp, to: Timestamp): number => (Date.parse(to) - Date.parse(from)) / 1000;

/** The point in time so many seconds after another; throws a `RangeError` when that is no time of RFC 3339. */
export const secondsAfter = (from: Timestamp, seconds: number): Timestamp => {
  const text = new Date(Date.parse(from) + Math.round(seconds * 1000)).toISOString();
  if (Timestamp.is(text)) return text;
  throw new RangeError(`${text} is beyond the years of RFC 3339`);
};

/** The time itself when it is later than all of these, else a millisecond after the latest: what follows is dated later. */
export const laterThan = (at: Timestamp, earlier: ReadonlyArray<Timestamp | null>): Timestamp => {
  const latest = earlier.reduce<Timestamp | null>(
    (max, time) => (max === null || (time ?? '') > max ? time : max),
    null,
  );
  if (latest === null || at > latest) return at;
  const next = new Date(Date.parse(latest) + 1).toISOString();
  return Timestamp.is(next) ? next : at;
};
