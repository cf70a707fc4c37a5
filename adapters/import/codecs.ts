import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { asSeconds, readSeconds, toMicrosecond } from './fields.js';

/** A codec that decodes a notation of time to seconds, rounded to the microsecond, 0 or more. */
const time = (name: string, read: (value: unknown) => E.Either<string, number>): t.Type<number> =>
  new t.Type(
    name,
    t.number.is,
    (value, context) => {
      const seconds = read(value);
      return E.isLeft(seconds) ? t.failure(value, context, seconds.left) : t.success(toMicrosecond(seconds.right));
    },
    t.identity,
  );

const notValid = (value: unknown, wanted: string): E.Either<string, never> =>
  E.left(value === undefined ? `is missing; it must be ${wanted}` : `${JSON.stringify(value)} is not ${wanted}`);

const named = (read: E.Either<string, number>): E.Either<string, number> =>
  E.mapLeft((fault: string) => fault.replace(/^time /, ''))(read);

/** A number of seconds: `12.34`. */
export const Seconds = time('Seconds', (value) =>
  typeof value === 'number' ? named(asSeconds('time', value)) : notValid(value, 'a number of seconds'),
);

/** A number of milliseconds: `12340`. */
export const Milliseconds = time('Milliseconds', (value) =>
  typeof value === 'number' ? named(asSeconds('time', value / 1000)) : notValid(value, 'a number of milliseconds'),
);

/** Seconds as a decimal string: `"12.34"`. */
export const SecondsText = time('SecondsText', (value) =>
  typeof value === 'string'
    ? named(readSeconds('time', value.trim()))
    : notValid(value, 'a string with a number of seconds, such as "12.34"'),
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
export const ClockText = time('ClockText', (value) => {
  const seconds = typeof value === 'string' ? clockSeconds(value) : null;
  return seconds === null ? notValid(value, 'a time such as "0:01:02.345"') : named(asSeconds('time', seconds));
});

const ProtoParts = t.partial({ seconds: t.union([t.string, t.number]), nanos: t.number });

const ofParts = (value: unknown): E.Either<string, number> => {
  const parts = ProtoParts.decode(value);
  if (E.isLeft(parts)) return notValid(value, 'a duration such as "1.5s" or {"seconds": "1", "nanos": 500000000}');
  const { seconds = 0, nanos = 0 } = parts.right;
  const whole = typeof seconds === 'number' ? asSeconds('seconds', seconds) : readSeconds('seconds', seconds);
  return E.chain((count: number) => asSeconds('time', count + nanos / 1e9))(whole);
};

/** Google's duration, `"12.900s"` or `{"seconds": "12", "nanos": 900000000}`; if it is absent, it is 0, as in all Protobuf JSON. */
export const ProtoDuration = time('ProtoDuration', (value) => {
  if (value === undefined) return E.right(0);
  if (typeof value !== 'string') return ofParts(value);
  return value.endsWith('s')
    ? named(readSeconds('time', value.slice(0, -1)))
    : notValid(value, 'a duration such as "12.900s"');
});

/** A number of ticks of 100 ns: `123400000`. */
export const Ticks = time('Ticks', (value) =>
  typeof value === 'number' ? named(asSeconds('time', value / 1e7)) : notValid(value, 'a number of ticks of 100 ns'),
);

const isoDuration = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/;

/** An ISO 8601 duration of days and less: `"PT1M2.34S"`. */
export const IsoDuration = time('IsoDuration', (value) => {
  const parts = typeof value === 'string' ? isoDuration.exec(value) : null;
  if (parts === null) return notValid(value, 'a duration such as "PT1M2.34S"');
  const [, days = 0, hours = 0, minutes = 0, seconds = 0] = parts;
  const wholeHours = Number(days) * 24 + Number(hours);
  return named(asSeconds('time', (wholeHours * 60 + Number(minutes)) * 60 + Number(seconds)));
});
