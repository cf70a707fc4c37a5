import { sequenceS } from 'fp-ts/lib/Apply.js';
import * as E from 'fp-ts/lib/Either.js';
import * as RE from 'fp-ts/lib/ReaderEither.js';
import { flow, identity } from 'fp-ts/lib/function.js';
import { type Timestamp, readTimestamp } from '../../domain/kernel/timestamp.js';
import type { PageRequest, TimeRange } from '../../projections/queries.js';
import type { Schema } from './codecs/values.js';
import { choices } from './decode.js';

export interface BadQuery {
  readonly _tag: 'BadQuery';
  readonly parameter: string;
  readonly message: string;
  /** Further wrong parameters. */
  readonly others?: ReadonlyArray<BadQuery>;
}

/** The query parameters of a request. If one is given several times, the last value counts. */
export type Query = Readonly<Record<string, string | undefined>>;

export const badQuery = (parameter: string, message: string): E.Either<BadQuery, never> =>
  E.left({ _tag: 'BadQuery', parameter, message });

/** Reads all of several parameters; the refusal names every wrong one. */
export const readAll = sequenceS(
  RE.getApplicativeReaderValidation<BadQuery>({
    concat: (one, { others = [], ...other }) => ({ ...one, others: [...(one.others ?? []), other, ...others] }),
  }),
);

/** Reads something from a query. */
export type Reading<Value> = (query: Query) => E.Either<BadQuery, Value>;

export interface ParameterDescription {
  readonly name: string;
  readonly description: string;
  /** The JSON Schema of its value. */
  readonly schema: Schema;
}

/** Reads a query parameter, and describes it. */
export interface Parameter<Value = unknown> extends Reading<Value> {
  readonly about: ParameterDescription;
}

/** A parameter whose value is null if it is absent. `read` gives undefined if the text is not what is `expected`. */
export const parameter = <Value>(
  about: ParameterDescription,
  read: (text: string) => Value | undefined,
  expected: string,
): Parameter<Value | null> =>
  Object.assign(
    (query: Query): E.Either<BadQuery, Value | null> => {
      const given = query[about.name];
      const value = given === undefined ? null : read(given);
      return value === undefined ? badQuery(about.name, `must ${expected}`) : E.right(value);
    },
    { about },
  );

/** The value of a parameter if it is absent. */
const byDefault = <Value>(read: Parameter<Value | null>, fallback: Value): Parameter<Value> =>
  Object.assign(
    flow(
      read,
      E.map((value) => value ?? fallback),
    ),
    { about: read.about },
  );

export const aboutText = (name: string, description: string, more: Schema = {}): ParameterDescription => ({
  name,
  description,
  schema: { type: 'string', ...more },
});

export const text = (name: string, description: string): Parameter<string | null> =>
  parameter(aboutText(name, description), identity, '');

export const textOf = <Text extends string>(
  name: string,
  description: string,
  is: (text: string) => text is Text,
  expected: string,
): Parameter<Text | null> =>
  parameter(aboutText(name, description), (given) => (is(given) ? given : undefined), `be ${expected}`);

export const oneOf = <Value extends string>(
  name: string,
  description: string,
  values: ReadonlyArray<Value>,
  expected = choices(values),
): Parameter<Value | null> =>
  parameter(
    aboutText(name, description, { enum: values }),
    (given) => values.find((value) => value === given),
    `be ${expected}`,
  );

export const time = (name: string, description: string): Parameter<Timestamp | null> =>
  parameter(
    aboutText(name, description, { format: 'date-time' }),
    (given) => readTimestamp(given) ?? undefined,
    'be a time with its offset, such as 2026-01-31T12:00:00Z, or a date, such as 2026-01-31',
  );

const flags = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

/** In any case, since Python sends `True`. */
export const flag = (name: string, description: string): Parameter<boolean | null> =>
  parameter(
    { name, description, schema: { type: 'boolean' } },
    (given) => flags.get(given.toLowerCase()),
    'be true or false',
  );

/** A number of this form, which is `expected`. */
export const number = (
  about: ParameterDescription,
  form: RegExp,
  expected: string,
  isValid: (value: number) => boolean = () => true,
): Parameter<number | null> =>
  parameter(
    about,
    (given) => (form.test(given) && isValid(Number(given)) ? Number(given) : undefined),
    `be ${expected}`,
  );

const maxLimit = 1_000;

const limit = (whenAbsent: string, more: Schema, fallback: number): Parameter<number> =>
  byDefault(
    number(
      {
        name: 'limit',
        description: `The maximum number of items on the page.${whenAbsent}`,
        schema: { type: 'integer', minimum: 1, maximum: maxLimit, ...more },
      },
      /^\d{1,4}$/,
      `an integer from 1 to ${maxLimit}`,
      (wanted) => wanted >= 1 && wanted <= maxLimit,
    ),
    fallback,
  );

const cursor = text('cursor', 'The `next_cursor` of the previous page. The other parameters must be the same.');

/** Parameters of a page of a list. */
export const page = { limit: limit('', { default: 100 }, 100), cursor };
/** Of histories and evidence, of whose small items most clients want many. */
export const longPage = { limit: limit('', { default: maxLimit }, maxLimit), cursor };
/** Of lists that are returned in full unless they are large. */
export const wholePage = {
  limit: limit(' If absent, the list is returned in full unless it is large.', {}, Number.MAX_SAFE_INTEGER),
  cursor,
};
export type PageParameters = typeof page;

export const pageRequest = ({ limit, cursor }: PageParameters = page): Reading<PageRequest> =>
  readAll({ limit, cursor });

/** A time range given by two parameters. */
export const timeRange = (from: Parameter<Timestamp | null>, to: Parameter<Timestamp | null>): Reading<TimeRange> =>
  flow(
    readAll({ from, to }),
    E.chain((given) =>
      given.from !== null && given.to !== null && given.from > given.to
        ? badQuery(from.about.name, `must not be later than ${to.about.name}`)
        : E.right(given),
    ),
  );

export const times = {
  from: time('from', 'Only entries at this time or later.'),
  to: time('to', 'Only entries before this time.'),
};

/** Long polling: the number of seconds to wait for the result. */
export const waitFor = (description: string): Parameter<number> =>
  byDefault(
    number(
      { name: 'wait', description, schema: { type: 'number', minimum: 0, maximum: 30, default: 0 } },
      /^\d{1,2}(?:\.\d{1,3})?$/,
      'a number of seconds from 0 to 30',
      (seconds) => seconds <= 30,
    ),
    0,
  );

export const wait = waitFor('Long polling: the maximum number of seconds to wait for the result.');
