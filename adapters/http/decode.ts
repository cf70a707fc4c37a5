import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { descriptionOf } from './codecs/values.js';
import { fieldPath } from '../../domain/kernel/field-path.js';

/** An error at one place of a body. */
const FieldError = t.type({
  /** For example `mappings[0].face_id`; empty for the body itself. */
  path: t.string,
  message: t.string,
});
type FieldError = t.TypeOf<typeof FieldError>;

export const MalformedBody = t.type({
  _tag: t.literal('MalformedBody'),
  message: t.string,
  errors: t.readonlyArray(FieldError),
});
export type MalformedBody = t.TypeOf<typeof MalformedBody>;

const maxErrors = 20;

/** What a value of an io-ts codec must be. */
const expectations: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  undefined: 'absent',
};

/** As in "a, b or c". */
export const choices = (values: ReadonlyArray<string>): string => values.join(', ').replace(/, (?=[^,]*$)/, ' or ');

const isEnumeration = (type: unknown): type is { readonly keys: object } => type instanceof t.KeyofType;

const describe = (type: { readonly name: string }): string => {
  const known = descriptionOf(type)?.expected ?? expectations[type.name];
  if (known !== undefined) return known;
  if (isEnumeration(type)) return choices(Object.keys(type.keys));
  if (type instanceof t.ReadonlyArrayType) return 'a list';
  return [t.InterfaceType, t.PartialType, t.IntersectionType].some((kind) => type instanceof kind)
    ? 'an object'
    : type.name;
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
