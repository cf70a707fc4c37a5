import { sequenceS } from 'fp-ts/lib/Apply.js';
import * as E from 'fp-ts/lib/Either.js';
import { flow, identity } from 'fp-ts/lib/function.js';
import { type Timestamp, readTimestamp } from '../../domain/kernel/timestamp.js';
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

export interface ParameterDescription {
  readonly name: string;
  readonly description: string;
  /** The JSON Schema of its value. */
  readonly schema: Schema;
}

/** Reads something from a query, and describes the parameters that it reads. */
export interface Reading<Value> {
  readonly read: (query: Query) => E.Either<BadQuery, Value>;
  readonly about: ReadonlyArray<ParameterDescription>;
}

declare module 'fp-ts/lib/HKT' {
  interface URItoKind<A> {
    readonly Reading: Reading<A>;
  }
}

const map = <Value, Made>({ read, about }: Reading<Value>, make: (value: Value) => Made): Reading<Made> => ({
  read: flow(read, E.map(make)),
  about,
});

const { ap } = E.getApplicativeValidation<BadQuery>({
  concat: (one, { others = [], ...other }) => ({ ...one, others: [...(one.others ?? []), other, ...others] }),
});

/** Reads all of several parameters; the refusal names every wrong one. */
export const readAll = sequenceS<'Reading'>({
  URI: 'Reading',
  map,
  ap: (first, second) => ({
    read: (query) => ap(first.read(query), second.read(query)),
    about: [...first.about, ...second.about],
  }),
});

/** Makes something of what was read, or refuses it. */
export const checked = <Value, Made>(
  { read, about }: Reading<Value>,
  check: (value: Value) => E.Either<BadQuery, Made>,
): Reading<Made> => ({ read: flow(read, E.chain(check)), about });

/** Reads a single parameter. */
export interface Parameter<Value> extends Reading<Value> {
  readonly name: string;
}

/** A parameter whose value is null if it is absent. `parse` gives undefined if the text is not what is `expected`. */
export const parameter = <Value>(
  about: ParameterDescription,
  parse: (text: string) => Value | undefined,
  expected: string,
): Parameter<Value | null> => ({
  name: about.name,
  about: [about],
  read: ({ [about.name]: given }) => {
    const value = given === undefined ? null : parse(given);
    return value === undefined ? badQuery(about.name, `must ${expected}`) : E.right(value);
  },
});

/** The value of a parameter if it is absent. */
const byDefault = <Value>(reading: Reading<Value | null>, fallback: Value): Reading<Value> =>
  map(reading, (value) => value ?? fallback);

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

const limit = (whenAbsent: string, more: Schema, fallback: number): Reading<number> =>
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
export const page = readAll({ limit: limit('', { default: 100 }, 100), cursor });
/** Of histories and evidence, of whose small items most clients want many. */
export const longPage = readAll({ limit: limit('', { default: maxLimit }, maxLimit), cursor });
/** Of lists that are returned in full unless they are large. */
export const wholePage = readAll({
  limit: limit(' If absent, the list is returned in full unless it is large.', {}, Number.MAX_SAFE_INTEGER),
  cursor,
});

/** A range given by two parameters. */
export const range = <Value extends Timestamp | number>(
  from: Parameter<Value | null>,
  to: Parameter<Value | null>,
): Reading<{ readonly from: Value | null; readonly to: Value | null }> =>
  checked(readAll({ from, to }), (given) =>
    given.from !== null && given.to !== null && given.from > given.to
      ? badQuery(from.name, `must not be later than ${to.name}`)
      : E.right(given),
  );

/** The time range of a list of entries. */
export const times = range(
  time('from', 'Only entries at this time or later.'),
  time('to', 'Only entries before this time.'),
);

/** Long polling: the number of seconds to wait for the result; null if the parameter is absent. */
export const waitFor = (description: string): Parameter<number | null> =>
  number(
    { name: 'wait', description, schema: { type: 'number', minimum: 0, maximum: 30, default: 0 } },
    /^\d{1,2}(?:\.\d{1,3})?$/,
    'a number of seconds from 0 to 30',
    (seconds) => seconds <= 30,
  );

export const wait = byDefault(waitFor('Long polling: the maximum number of seconds to wait for the result.'), 0);
