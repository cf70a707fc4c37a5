import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { fieldPath } from '../../domain/kernel/field-path.js';
import { type DocumentParts, type JsonFormat, type Reading, refuse, Tally } from './format.js';
import { linesIn } from './text.js';
import { decimalIn, faultOfSeconds, toMicrosecond } from './fields.js';

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

const lineOf = (text: string, position: number): number => {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < position; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
};

/** The parsed value, or the message of the syntax error. */
const parse = (text: string): E.Either<string, unknown> =>
  E.tryCatch(
    (): unknown => JSON.parse(text),
    (error) => (error instanceof Error ? error.message : String(error)),
  );

/** Longer texts get syntax errors without a line if the engine does not tell the place. */
const maxSearched = 4 * 1024 * 1024;

const isUnexpected = (message: string): boolean => message.startsWith('Unexpected token');

/** Where the first unexpected token begins: the engine does not say it, but a text without the token has no such error. */
const placeOfToken = (text: string): number => {
  let [good, bad] = [0, text.length];
  while (bad - good > 1) {
    const middle = (good + bad) >>> 1;
    const result = parse(text.slice(0, middle));
    if (E.isLeft(result) && isUnexpected(result.left)) bad = middle;
    else good = middle;
  }
  return good;
};

const refuseSyntax = (text: string, message: string): never => {
  const end = text.trimEnd().length;
  const told = /position (\d+)/.exec(message)?.[1];
  const unknown = told === undefined && isUnexpected(message);
  const at = unknown && end <= maxSearched ? placeOfToken(text) : Number(told ?? end);
  if (unknown && end > maxSearched) return refuse(null, `not valid JSON: ${message}`);
  const isCut = !unknown && (at >= end || message.startsWith('Unterminated string'));
  return refuse(
    lineOf(text, Math.min(at, end)),
    isCut
      ? 'the JSON is incomplete; the file seems to be truncated'
      : `not valid JSON: ${message.replace(/, (?:\.{3})?".*is not valid JSON$/s, '').replace(/ in JSON at position.*$/s, '')}`,
  );
};

const textOrNumber = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\bInfinity\b|\bNaN\b/gs;

/** Python writes NaN and Infinity, which are no JSON: they are read as null. */
const withoutNaN = (text: string, notes: Tally): string =>
  text.replaceAll(textOrNumber, (found) => {
    if (found.startsWith('"')) return found;
    notes.add(`${found.replace('-', '')} in the JSON: read as null`);
    return 'null';
  });

/** The parsed value of JSON in which NaN may stand. */
const parseLoosely = (text: string, notes: Tally): E.Either<string, unknown> => {
  const strict = parse(text);
  return E.isLeft(strict) && /\b(?:NaN|Infinity)\b/.test(text) ? parse(withoutNaN(text, notes)) : strict;
};

const isWritten = (line: string): boolean => line.trim() !== '';

/** One JSON document on each line; null if the text is anything else. */
const parseLines = (text: string, notes: Tally): ReadonlyArray<unknown> | null => {
  const lines = linesIn(text);
  const [first, last] = [lines.findIndex(isWritten), lines.findLastIndex(isWritten)];
  const begin = lines[first]?.trim() ?? '';
  if (first === last || !begin.startsWith('{') || E.isLeft(parseLoosely(begin, new Tally()))) return null;
  const documents: unknown[] = [];
  for (const [index, line] of lines.entries()) {
    if (!isWritten(line)) continue;
    const result = parseLoosely(line, notes);
    if (E.isRight(result)) documents.push(result.right);
    else
      refuse(index + 1, index === last ? 'the JSON is incomplete; the file seems to be truncated' : 'not valid JSON');
  }
  return documents;
};

/** Documents of providers have about ten levels. */
const maxDepth = 200;

/** Makes null absent, in place. */
const dropNulls = (json: unknown, depth = 1): void => {
  if (typeof json !== 'object' || json === null) return;
  if (depth > maxDepth) refuse(null, `the document is nested deeper than ${maxDepth} levels`);
  for (const key of Object.keys(json)) {
    const value: unknown = Reflect.get(json, key);
    if (value === null) Reflect.set(json, key, undefined);
    else if (typeof value === 'object') dropNulls(value, depth + 1);
  }
};

const parseAny = (text: string, notes: Tally): E.Either<string, unknown> => {
  const strict = parse(text);
  if (E.isRight(strict)) return strict;
  const lines = parseLines(text, notes);
  return lines === null ? parseLoosely(text, notes) : E.right(lines);
};

/**
 * Parses JSON, or one JSON document on each line as a list. Null becomes absent in every field. Of keys that repeat in
 * an object the last counts, as everywhere in JSON.
 */
export const parseDocument = (text: string, notes: Tally): unknown => {
  const result = parseAny(text, notes);
  const document = E.isRight(result) ? result.right : refuseSyntax(text, result.left);
  dropNulls(document);
  return document;
};

/** The value at a path of keys; undefined if there is none. */
export const valueAt = (json: unknown, ...keys: ReadonlyArray<string | number>): unknown =>
  keys.reduce<unknown>((value, key) => {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    const inner: unknown = Reflect.get(value, key);
    return inner;
  }, json);

/** The list at a path of keys; an empty list if there is none. */
export const listAt = (json: unknown, ...keys: ReadonlyArray<string | number>): ReadonlyArray<unknown> => {
  const value = valueAt(json, ...keys);
  return Array.isArray(value) ? value : [];
};

const isAt = (value: unknown, [step, ...rest]: ReadonlyArray<string>): boolean => {
  if (step === undefined) return value !== undefined;
  if (!step.endsWith('[]')) return isAt(valueAt(value, step), rest);
  const list = step === '[]' ? value : valueAt(value, step.slice(0, -2));
  return Array.isArray(list) && (rest.length === 0 || list.some((one) => isAt(one, rest)));
};

/**
 * Whether a document has something at any of these paths. `segments[].text` is a field of any element of a list, and
 * `segments[]` the list itself, which may be empty.
 */
export const hasAny = (json: unknown, ...paths: ReadonlyArray<string>): boolean =>
  paths.some((path) => isAt(json, path.split('.')));

/** Whether a document has something at each of these paths, which are as those of {@link hasAny}. */
export const has = (json: unknown, ...paths: ReadonlyArray<string>): boolean =>
  paths.every((path) => hasAny(json, path));

const wanted: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  Int: 'an integer',
};

const expectation = (type: t.Decoder<unknown, unknown> & { readonly name: string }): string => {
  const tag = '_tag' in type ? type._tag : null;
  if (tag === 'ReadonlyArrayType') return 'a list';
  if (tag === 'InterfaceType' || tag === 'PartialType' || tag === 'IntersectionType') return 'an object';
  return wanted[type.name] ?? type.name;
};

/** Decodes a document, or a part of it at this path; refuses it with the path of the first value that is not valid. */
export const decodeDocument = <Document>(codec: t.Decoder<unknown, Document>, json: unknown, path = ''): Document => {
  const decoded = codec.decode(json);
  if (E.isRight(decoded)) return decoded.right;
  const [error] = decoded.left;
  if (error === undefined) return refuse(null, 'the document is not as expected');
  const { context, message, value } = error;
  const type = context.at(-1)?.type;
  const shape = type === undefined ? 'something else' : expectation(type);
  const fault = value === undefined ? missing(shape) : `is not ${shape}`;
  const inner = fieldPath(context);
  return refuse(
    path === '' || inner === '' || inner.startsWith('[') ? path + inner : `${path}.${inner}`,
    message ?? fault,
  );
};

/** The messages of a live service: those of a list, or the document itself if it is a single one. */
export const messagesOf = (json: unknown): ReadonlyArray<unknown> => (Array.isArray(json) ? listAt(json) : [json]);

/** The messages of a live service whose field has this value, each with its place; others are counted. */
export const messagesOfKind = (json: unknown, field: string, kind: string, dropped: Tally) =>
  messagesOf(json).flatMap((message, index) => {
    const found = valueAt(message, field);
    if (found === kind) return [{ message, place: `[${index}]` }];
    dropped.add(found === 'PartialTranscript' ? 'interim result' : 'message that is no result');
    return [];
  });

/** A codec of objects with these fields, and these optional ones. */
export const object = <Required extends t.Props, Optional extends t.Props>(required: Required, optional: Optional) =>
  t.intersection([t.type(required), t.partial(optional)]);

/** Refuses the document of a job in another state than these; without a state the job has ended. */
export const refuseUnfinished = (json: unknown, field: string, ...done: ReadonlyArray<string>): void => {
  const state = valueAt(json, field);
  if (state !== undefined && !done.some((one) => one === state))
    refuse(field, `the job is ${JSON.stringify(state)}, not "${done[0]}"`);
};

/** A label or an id of a provider. */
export const TextOrNumber = t.union([t.string, t.number]);

/** A JSON format whose documents are decoded by a codec before they are read. `done`: see {@link refuseUnfinished}. */
export const jsonFormat = <Document>(
  format: Omit<JsonFormat, 'reads' | 'read'> & {
    readonly codec: t.Decoder<unknown, Document>;
    readonly done?: readonly [field: string, ...values: string[]];
    readonly read: (document: Document, reading: Reading) => DocumentParts;
  },
): JsonFormat => ({
  ...format,
  reads: 'json',
  read: (json, reading) => {
    if (format.done !== undefined) refuseUnfinished(json, ...format.done);
    return format.read(decodeDocument(format.codec, json), reading);
  },
});

/** The pieces of speech that a provider lists at a path. `convert` is given an element and its place in the document. */
export const listed = <Element, Piece>(
  path: string,
  list: ReadonlyArray<Element>,
  convert: (element: Element, place: string) => Piece,
): ReadonlyArray<Piece> => list.map((element, index) => convert(element, `${path}[${index}]`));

/** The label of a speaker whom the provider numbers; null for nobody. */
export const numberedSpeaker = (speaker: number | undefined): string | null =>
  speaker === undefined ? null : `speaker ${speaker}`;

/** The text of a label, which may be a number; null for nobody. */
export const labelText = (label: string | number | undefined): string | null =>
  label === undefined ? null : String(label);

/** Refuses duplicate ids in a list. `field`: the field of an element that the error names. */
export const refuseDuplicates = <Item>(
  path: string,
  items: ReadonlyArray<Item>,
  field: string,
  idOf: (item: Item) => unknown,
): void => {
  const seen = new Set<unknown>();
  for (const [index, item] of items.entries()) {
    const id = idOf(item);
    if (id !== undefined && seen.has(id)) refuse(`${path}[${index}].${field}`, `duplicate id ${JSON.stringify(id)}`);
    seen.add(id);
  }
};
