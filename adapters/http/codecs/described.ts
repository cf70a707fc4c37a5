import * as t from 'io-ts';

/** A JSON Schema that is valid in both draft 7 and 2020-12. */
export type Schema = Readonly<Record<string, unknown>>;

/**
 * What a codec accepts. JSON Schema cannot express everything: that a text is well-formed Unicode, that an interval starts
 * before it ends, or how large or deep an object is.
 */
interface Description {
  /** Of a refinement: what it adds to the schema of the codec that it refines. Of another codec: its schema. */
  readonly schema: Schema;
  /** What a value must be, for messages. */
  readonly expected?: string;
}

/** A codec with its description. */
export const described = <C extends t.Mixed>(codec: C, schema: Schema, expected?: string) =>
  Object.assign(codec, { described: { schema, ...(expected === undefined ? {} : { expected }) } });

/** With commas. `toLocaleString` takes 30 ms when it is called first. */
export const count = (number: number): string => String(number).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');

const whole = (minimum: number, maximum: number, expected: string): Description => ({
  schema: { type: 'integer', minimum, maximum },
  expected: `${expected} from ${count(minimum)} to ${count(maximum)}`,
});

/** An integer in a range. */
export const integer = (name: string, minimum: number, maximum: number, expected = 'an integer') => {
  const about = whole(minimum, maximum, expected);
  const inRange = t.refinement(t.number, (n) => Number.isInteger(n) && n >= minimum && n <= maximum, name);
  return described(inRange, about.schema, about.expected);
};

/** A text of at most `most` UTF-16 units; `isValid` says what else it must be. */
export const text = (
  name: string,
  most: number,
  isValid: (text: string) => boolean = (given) => given.isWellFormed(),
  expected = `well-formed Unicode text of at most ${count(most)} characters`,
  schema: Schema = {},
) =>
  described(
    t.refinement(t.string, (given) => given.length <= most && isValid(given), name),
    { ...schema, maxLength: most },
    expected,
  );

const id: Description = { schema: { pattern: '^[A-Za-z0-9._:-]{1,128}$' } };
const number = { minimum: 0, maximum: Number.MAX_SAFE_INTEGER };
export const natural: Description = { schema: { type: 'integer', ...number }, expected: 'a non-negative integer' };

export const credits: Schema = { type: 'number', description: 'An amount of credits, exact to 6 decimal places.' };
const largestAmount = 999_999_999.999_999;
export const creditsUpTo = (minimum = -largestAmount): Schema => ({ ...credits, minimum, maximum: largestAmount });

/** Codecs of the domain, which knows nothing of documents and messages. */
const ofDomain: Readonly<Record<string, Description>> = {
  VideoId: id,
  AudioId: id,
  AccountId: id,
  KeyId: id,
  RunId: id,
  SessionId: id,
  InstanceId: id,
  ChargeId: id,
  Finite: { schema: {}, expected: 'a number' },
  NamedId: { schema: { type: 'integer' }, expected: 'an integer' },
  FaceId: natural,
  SpeakerId: natural,
  Accuracy: {
    schema: { minimum: 0, maximum: 1, description: 'A probability, from 0 to 1.' },
    expected: 'a number from 0 to 1',
  },
  MediaTime: {
    schema: { minimum: 0, description: 'A time in seconds from the start of the medium.' },
    expected: 'a number of seconds, 0 or more',
  },
  Share: {
    schema: { minimum: 0, maximum: 1, description: 'A share of the picture, from 0 to 1.' },
    expected: 'a number from 0 to 1',
  },
  Interval: {
    schema: {
      description: 'A time interval in seconds from the start of the medium; `start` must not be after `end`.',
    },
    expected: 'an interval in seconds with 0 <= start <= end',
  },
  PersonName: { schema: { pattern: '\\S', description: 'A name; must not be blank.' } },
  NameText: { schema: {} },
  Timestamp: { schema: { format: 'date-time', description: 'An RFC 3339 timestamp in UTC, with milliseconds.' } },
  CreditsText: {
    schema: { pattern: '^-?\\d+(\\.\\d{1,6})?$', description: 'An amount of credits, as a decimal string.' },
  },
  CreditsNumber: { schema: credits },
  PeriodSeconds: whole(1, 31_622_400, 'a whole number of seconds'),
  RetentionDays: whole(1, 36_500, 'a whole number of days'),
  TagKey: { schema: { maxLength: 128, pattern: '^[A-Za-z0-9_:-]+(\\.[A-Za-z0-9_:-]+)*$' } },
  RegistryKey: { schema: { maxLength: 128, pattern: '^[A-Za-z0-9_:-]+(\\.[A-Za-z0-9_:-]+)*(\\.\\*)?$' } },
  TagSource: { schema: { pattern: '^(importer|user)\\.[A-Za-z0-9._:-]{1,128}$' } },
  JsonObject: {
    schema: { type: 'object', additionalProperties: true },
    expected: 'a JSON object with at most 32 levels',
  },
};

const isDescription = (value: unknown): value is Description =>
  typeof value === 'object' && value !== null && 'schema' in value;

/** The description of a codec; undefined if it has none. */
export const descriptionOf = (codec: { readonly name: string }): Description | undefined =>
  'described' in codec && isDescription(codec.described) ? codec.described : ofDomain[codec.name];
