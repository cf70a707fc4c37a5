import * as E from 'fp-ts/lib/Either.js';
import type * as t from 'io-ts';
import { fieldPath } from '../../domain/kernel/field-path.js';

/** An error at one place of a body. */
export interface FieldError {
  /** For example `mappings[0].face_id`; empty for the body itself. */
  readonly path: string;
  readonly message: string;
}

export interface MalformedBody {
  readonly _tag: 'MalformedBody';
  readonly message: string;
  readonly errors: ReadonlyArray<FieldError>;
}

const maxErrors = 20;

/** What a value of a codec must be, by the name of the codec. */
const expectations: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  null: 'null',
  undefined: 'absent',
  Finite: 'a number',
  NamedId: 'an integer',
  FaceId: 'a non-negative integer',
  SpeakerId: 'a non-negative integer',
  BodyId: 'an id of 1 to 128 characters from A-Za-z0-9._:-, other than . and ..',
  Accuracy: 'a number from 0 to 1',
  MediaTime: 'a number of seconds, 0 or more',
  Share: 'a number from 0 to 1',
  Interval: 'an interval in seconds with 0 <= start <= end',
  MediaUrl: 'an http or https URL of at most 2,048 characters',
  PersonName: 'a name of 1 to 200 characters that is not blank',
  Reason: 'a text of 1 to 1,000 characters that is not blank',
  UtteranceText: 'a text of at most 100,000 characters',
  CaptionText: 'a text of at most 500 characters',
  DealPersonName: 'a text of at most 200 characters',
  Traits: 'a JSON object of at most 16 KiB with at most 32 levels',
  Metadata: 'a JSON object of at most 16 KiB with at most 32 levels',
  TagValue: 'a value of the type that the tag registry sets, at most 2 KiB of JSON',
  JsonObject: 'a JSON object with at most 32 levels',
  ProcessingStatus: 'queue, processing, completed or failed',
  MediaKind: 'upload or meeting',
  SpeakerRole: 'agent or customer',
  LinkVerdict: 'confirmed or rejected',
  WrittenDecision: 'a decision that has a face_id if its verdict is rejected',
  MatchChannel: 'name or co_occurrence',
  WriteBackStatus: 'completed or failed',
  Permission: 'MEDIA_WRITE or WORKER',
  NonZeroCredits:
    'an amount of credits other than 0, between -1,000,000,000 and 1,000,000,000 (exclusive), with at most 6 decimal places',
  CreditLimit: 'an amount of credits of at least 0 and below 1,000,000,000, with at most 6 decimal places',
  KeyLifetime: 'a whole number of seconds from 60 to 31,622,400',
  OwnKeyLifetime: 'a whole number of seconds from 60 to 86,400',
  PeriodSeconds: 'a whole number of seconds from 1 to 31,622,400',
  RetentionDays: 'a whole number of days from 1 to 36,500',
  TagKeyText: 'well-formed Unicode text of at most 1,000 characters',
  TagCategory: 'provider, demographic, survey, system, label or user',
  TagValueType: 'string, number, boolean or string_list',
  SpendingWindowBody: 'an object',

  LineIndex: 'an integer from 0 to 65,535',
  Revision: 'a non-negative integer',
  TagList: 'a list of 1 to 1,000 tags',
  FaceNamesBody: 'a list with at least one item',
  SpeakerNamesBody: 'a list with at least one item',
  SpeakerRolesBody: 'a list with at least one item',
};

const tagOf = (type: unknown): unknown =>
  typeof type === 'object' && type !== null && '_tag' in type ? type._tag : null;

const describe = (type: { readonly name: string }): string => {
  const known = expectations[type.name];
  if (known !== undefined) return known;
  if ('most' in type && typeof type.most === 'number' && tagOf(type) === 'RefinementType')
    return `well-formed Unicode text of at most ${type.most.toLocaleString('en-US')} characters`;
  switch (tagOf(type)) {
    case 'ReadonlyArrayType':
      return 'a list';
    case 'InterfaceType':
    case 'PartialType':
    case 'IntersectionType':
    case 'ReadonlyType':
      return 'an object';
    default:
      return type.name;
  }
};

/** Whether there is an error deeper inside: then that is reported, not that the outer value could also be null. */
const hasInner = (path: string, others: ReadonlyMap<string, unknown>): boolean =>
  [...others.keys()].some(
    (other) =>
      other.length > path.length && other.startsWith(path) && (path === '' || '.['.includes(other.charAt(path.length))),
  );

/** Null comes last, after a comma: the others may be enumerations themselves. */
const alternatives = (expected: ReadonlyArray<string>): string => {
  const others = expected.filter((one) => one !== 'null');
  if (others.length === 0) return 'null';
  return others.join(' or ') + (others.length < expected.length ? ', or null' : '');
};

const merge = (errors: t.Errors): ReadonlyArray<FieldError> => {
  const byPath = new Map<string, { readonly expected: Set<string>; readonly missing: boolean }>();
  for (const { context, value, message } of errors) {
    const path = fieldPath(context);
    const type = context[context.length - 1]?.type;
    const entry = byPath.get(path) ?? { expected: new Set<string>(), missing: value === undefined };
    if (message !== undefined) entry.expected.add(message);
    else if (type !== undefined) entry.expected.add(describe(type));
    byPath.set(path, entry);
    if (byPath.size > maxErrors) break;
  }
  return [...byPath]
    .filter(([path]) => !hasInner(path, byPath))
    .slice(0, maxErrors)
    .map(([path, { expected, missing }]) => ({
      path,
      message: `${missing ? 'is missing; it' : ''} must be ${alternatives([...expected])}`.trim(),
    }));
};

/** Without `errors`, the error is about the body as a whole. */
export const malformed = (
  message: string,
  errors: ReadonlyArray<FieldError> = [{ path: '', message }],
): MalformedBody => ({
  _tag: 'MalformedBody',
  message,
  errors,
});

/** Decodes a body. Errors have the path to their place in the body. */
export const decodeBody = <Body>(codec: t.Decoder<unknown, Body>, body: unknown): E.Either<MalformedBody, Body> => {
  const decoded = codec.decode(body);
  if (E.isRight(decoded)) return decoded;
  const errors = merge(decoded.left);
  const first = errors[0];
  return E.left(
    malformed(
      first === undefined ? 'The body is malformed' : `${first.path === '' ? 'The body' : first.path} ${first.message}`,
      errors,
    ),
  );
};

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Parses the bytes of a body as JSON. */
export const parseJson = (bytes: Uint8Array): E.Either<MalformedBody, unknown> => {
  try {
    const text = utf8.decode(bytes);
    try {
      const json: unknown = JSON.parse(text);
      return E.right(json);
    } catch {
      return E.left(
        malformed(text.trim() === '' ? 'The body is empty; JSON is expected' : 'The body is not valid JSON'),
      );
    }
  } catch {
    return E.left(malformed('The body is not valid UTF-8'));
  }
};
