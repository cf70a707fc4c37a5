import { nullable, JsonObject } from '../../../domain/kernel/recorded-event.js';
import * as t from 'io-ts';
import * as E from 'fp-ts/lib/Either.js';
import { AccountId, AudioId, NamedId, RunId, SpeakerId, VideoId, isAddressable } from '../../../domain/kernel/ids.js';
import { PersonName as GivenName } from '../../../domain/kernel/names.js';

/** A JSON Schema that is valid in both draft 7 and 2020-12. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | ReadonlyArray<string>;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: ReadonlyArray<string>;
  readonly items?: Schema;
  readonly anyOf?: ReadonlyArray<Schema>;
  readonly oneOf?: ReadonlyArray<Schema>;
  readonly enum?: ReadonlyArray<unknown>;
  readonly const?: unknown;
  readonly not?: Schema;
  readonly [keyword: string]: unknown;
}

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

/**
 * A refusal lists at most 20 errors (see `decode.ts`). Each invalid item has at least one, so decoding can stop after 21
 * invalid items without changing the answer.
 */
const maxInvalidItems = 21;

/** What a list must be, to follow "must be" in a message; null if the list is valid. */
type CheckList = (items: ReadonlyArray<unknown>) => string | null;

const noCheck: CheckList = () => null;

const tooLong = (most: number, what: string): string => `a list of at most ${count(most)} ${what}`;

/** The errors of the items. `keep` is called with each decoded item. */
const errorsOf = <Item>(
  item: t.Decoder<unknown, Item> & t.Mixed,
  items: ReadonlyArray<unknown>,
  context: t.Context,
  keep: (decoded: Item) => void,
): t.Errors => {
  const errors: t.Errors = [];
  let invalid = 0;
  let index = 0;
  for (const value of items) {
    const decoded = item.validate(value, t.appendContext(context, String(index), item, value));
    index += 1;
    if (E.isRight(decoded)) {
      keep(decoded.right);
      continue;
    }
    errors.push(...decoded.left);
    invalid += 1;
    if (invalid === maxInvalidItems) break;
  }
  return errors;
};

/**
 * A list of at most `most` items, which messages call `what`. The length is checked before any item is decoded, and decoding
 * stops when further errors would not change the answer, so that a list of millions of invalid items costs little.
 */
export const list = <Item extends t.Mixed>(item: Item, most: number, what: string, check: CheckList = noCheck) => {
  const plain = t.readonlyArray(item);
  const limited = new t.ReadonlyArrayType<Item, ReadonlyArray<t.TypeOf<Item>>, ReadonlyArray<t.OutputOf<Item>>>(
    plain.name,
    (value): value is ReadonlyArray<t.TypeOf<Item>> => plain.is(value) && value.length <= most,
    (value, context) => {
      if (!Array.isArray(value)) return t.failure(value, context);
      const wrong = value.length > most ? tooLong(most, what) : check(value);
      if (wrong !== null) return t.failure(value.length, context, wrong);
      const items: Array<t.TypeOf<Item>> = [];
      const errors = errorsOf<t.TypeOf<Item>>(item, value, context, (decoded) => void items.push(decoded));
      return errors.length > 0 ? t.failures(errors) : t.success(items);
    },
    plain.encode,
    item,
  );
  return Object.assign(limited, { most });
};

/** A list of at least one and at most `most` items. */
export const nonEmpty = <Item extends t.Mixed>(
  item: Item,
  most: number,
  what: string,
  name: string,
  expected = 'a list with at least one item',
) =>
  described(
    t.refinement(list(item, most, what), (items) => items.length > 0, name),
    { minItems: 1 },
    expected,
  );

const bodyId = <Id extends string, Output>(codec: t.Type<Id, Output>): t.Type<Id, Output> =>
  described(
    t.refinement(codec, isAddressable, 'BodyId'),
    { pattern: '^(?!\\.{1,2}$)[A-Za-z0-9._:-]{1,128}$' },
    'an id of 1 to 128 characters from A-Za-z0-9._:-, other than . and ..',
  );

/** Ids in request bodies: only those that can also be part of a path. */
export const BodyVideoId = bodyId(VideoId);
export const BodyAudioId = bodyId(AudioId);
export const BodyAccountId = bodyId(AccountId);
export const BodyRunId = bodyId(RunId);

/** The limits of what arrives (contract, Conventions). What a log holds from before a limit is read as it is. */
export const limits = {
  /** Mappings, targets, matches, decisions, tags, names, roles, deal persons, candidates of a speaker. */
  items: 1_000,
  faces: 2_000,
  speakers: 1_000,
  /** Each of tracks, talking scores, captions, segments and utterances, over the whole record. */
  evidence: 200_000,
  name: 200,
  label: 200,
  title: 500,
  caption: 500,
  reason: 1_000,
  url: 2_048,
  utterance: 100_000,
  /** Characters of JSON without spaces. */
  traits: 16 * 1_024,
  metadata: 16 * 1_024,
  tag_value: 2 * 1_024,
} as const;

export const NameText = text('NameText', limits.name);
export const LabelText = text('LabelText', limits.label);
export const TitleText = text('TitleText', limits.title);
export const ReasonText = text('ReasonText', limits.reason);

/** A name that is given: not blank. */
export const PersonName = described(
  t.refinement(GivenName, (name) => name.length <= limits.name, 'PersonName'),
  { pattern: '\\S', description: 'A name; must not be blank.', maxLength: limits.name },
  'a name of 1 to 200 characters that is not blank',
);

/** Whether a value has at most this many levels: `JSON.stringify` fails on very deep ones. */
const isWithinLevels = (value: unknown, levels: number): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (levels > 0 && Object.values(value).every((part) => isWithinLevels(part, levels - 1)));

const deepest = 32;

/** Whether the JSON of a value has at most this many characters, and at most 32 levels. */
export const isJsonWithin = (value: unknown, most: number): boolean =>
  isWithinLevels(value, deepest) && JSON.stringify(value).length <= most;

/** A JSON object of at most so many characters, and 32 levels. */
export const smallJson = (name: string, most: number, about: string) =>
  described(
    t.refinement(JsonObject, (value) => isJsonWithin(value, most), name),
    { description: `${about}: a JSON object of at most 32 levels and ${most / 1_024} KiB without spaces.` },
    `a JSON object of at most ${most / 1_024} KiB with at most 32 levels`,
  );

/** The target speakers of a request: any integers (specification, sections 4.2 and 4.3). */
export const Targets = list(NamedId, limits.items, 'targets');

/** An integer that is not a valid speaker id counts as an unknown speaker, not as a malformed body (section 7.3). */
export const targetsOf = (
  named: ReadonlyArray<number>,
): E.Either<{ readonly _tag: 'TargetNotInAudio'; readonly speaker_id: number }, ReadonlyArray<SpeakerId>> => {
  const unknown = named.find((speaker_id) => !SpeakerId.is(speaker_id));
  return unknown === undefined
    ? E.right(named.filter(SpeakerId.is))
    : E.left({ _tag: 'TargetNotInAudio', speaker_id: unknown });
};

/** The face or speaker id in a path; -1, which no face or speaker has, for any other text. */
export const numberInPath = (text: string | undefined): number => (/^\d{1,15}$/.test(text ?? '') ? Number(text) : -1);

/** An object with required and optional fields. */
export const record = <Required extends t.Props, Optional extends t.Props>(
  required: Required,
  optional: Optional,
  name?: string,
) => t.intersection([t.type(required), t.partial(optional)], name);

/** The codec of a page of a list: the items in a field named `list`, and the cursor of the next page. */
export const pageOf = <Item extends t.Mixed>(list: string, item: Item, name: string) =>
  Object.assign(t.type({ [list]: t.readonlyArray(item), next_cursor: nullable(t.string) }, name), { list, item });

export type Page<Item extends t.Mixed> = ReturnType<typeof pageOf<Item>>;

export const isPage = (codec: t.Mixed): codec is Page<t.Mixed> => 'list' in codec && 'item' in codec;
