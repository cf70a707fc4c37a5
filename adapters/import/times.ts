import * as t from 'io-ts';
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

/**
 * A codec that decodes a notation of time to seconds, rounded to the microsecond, 0 or more. `read` gives the seconds, what
 * is wrong with the value, or null if it is not what is wanted.
 */
const time = (name: string, wanted: string, read: (value: unknown) => number | string | null): t.Type<number> =>
  new t.Type(
    name,
    t.number.is,
    (value, context) => {
      const found =
        read(value) ?? (value === undefined ? missing(wanted) : `${JSON.stringify(value)} is not ${wanted}`);
      if (typeof found === 'string') return t.failure(value, context, found);
      const fault = faultOfSeconds(found);
      return fault === null ? t.success(toMicrosecond(found)) : t.failure(value, context, fault);
    },
    t.identity,
  );

const missing = (wanted: string): string => `is missing; it must be ${wanted}`;

const inUnits = (name: string, wanted: string, perSecond: number): t.Type<number> =>
  time(name, wanted, (value) => (typeof value === 'number' ? value / perSecond : null));

/** A number of seconds: `12.34`. */
export const Seconds = inUnits('Seconds', 'a number of seconds', 1);

/** A number of milliseconds: `12340`. */
export const Milliseconds = inUnits('Milliseconds', 'a number of milliseconds', 1000);

/** A number of ticks of 100 ns: `123400000`. */
export const Ticks = inUnits('Ticks', 'a number of ticks of 100 ns', 1e7);

const written = (text: string): number | string => decimalIn(text) ?? `${JSON.stringify(text)} is not a finite number`;

/** Seconds as a decimal string: `"12.34"`. */
export const SecondsText = time('SecondsText', 'a string with a number of seconds, such as "12.34"', (value) =>
  typeof value === 'string' ? written(value.trim()) : null,
);

const clock = /^(?:(\d{1,6}):)?(\d{1,2}):(\d{1,2})(?:[.,](\d{1,9}))?$/;

/** Seconds of `1:02:03.456`, `02:03.456` or `01:02:03,456`; null for any other text. */
export const clockSeconds = (text: string): number | null => {
  const match = clock.exec(text);
  if (match === null) return null;
  const [, hours = '0', minutes = '', seconds = '', fraction = ''] = match;
  if (Number(minutes) > 59 || Number(seconds) > 59) return null;
  return toMicrosecond(Number(hours) * 3600 + Number(minutes) * 60 + Number(`${seconds}.${fraction || '0'}`));
};

/** A clock time: `"0:01:02.345"`. */
export const ClockText = time('ClockText', 'a time such as "0:01:02.345"', (value) =>
  typeof value === 'string' ? clockSeconds(value) : null,
);

const ProtoParts = t.partial({ seconds: t.union([t.string, t.number]), nanos: t.number });

/** Google's duration, `"12.900s"` or `{"seconds": "12", "nanos": 900000000}`; if it is absent, it is 0, as in all Protobuf JSON. */
export const ProtoDuration = time(
  'ProtoDuration',
  'a duration such as "1.5s" or {"seconds": "1", "nanos": 500000000}',
  (value = {}) => {
    if (typeof value === 'string')
      return value.endsWith('s')
        ? written(value.slice(0, -1))
        : `${JSON.stringify(value)} is not a duration such as "12.900s"`;
    if (!ProtoParts.is(value)) return null;
    const { seconds = 0, nanos = 0 } = value;
    const whole = typeof seconds === 'number' ? seconds : written(seconds);
    const fault = typeof whole === 'string' ? whole : faultOfSeconds(whole);
    return fault === null ? Number(whole) + nanos / 1e9 : `seconds ${fault}`;
  },
);

const isoDuration = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/;

/** An ISO 8601 duration of days and less: `"PT1M2.34S"`. */
export const IsoDuration = time('IsoDuration', 'a duration such as "PT1M2.34S"', (value) => {
  const parts = typeof value === 'string' ? isoDuration.exec(value) : null;
  if (parts === null) return null;
  const [, days = 0, hours = 0, minutes = 0, seconds = 0] = parts;
  return ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds);
});
