import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { fieldPath } from '../../domain/kernel/field-path.js';
import {
  type DocumentParts,
  type JsonFormat,
  type Reading,
  type Tally,
  gluedBySpaces,
  refuse,
  withEnds,
} from './format.js';

const fieldOf = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;

/** The value at a path such as `results.items`; undefined if there is none. The empty path is the document itself. */
export const valueAt = (json: unknown, path: string): unknown =>
  path === '' ? json : path.split('.').reduce(fieldOf, json);

/** The list at a path; an empty list if there is none. */
export const listAt = (json: unknown, path = ''): ReadonlyArray<unknown> => {
  const value = valueAt(json, path);
  return Array.isArray(value) ? value : [];
};

/** So many elements of a list are looked at to recognise a format. */
const enough = 1_000;

const isAt = (value: unknown, steps: ReadonlyArray<string>, from = 0): boolean => {
  const step = steps[from];
  if (step === undefined) return value !== undefined;
  if (!step.endsWith('[]')) return isAt(fieldOf(value, step), steps, from + 1);
  const list = step === '[]' ? value : fieldOf(value, step.slice(0, -2));
  const rest = from + 1;
  return Array.isArray(list) && (rest === steps.length || list.slice(0, enough).some((one) => isAt(one, steps, rest)));
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
  ReadonlyArrayType: 'a list',
  InterfaceType: 'an object',
  PartialType: 'an object',
  IntersectionType: 'an object',
};

const expectation = (type: t.Decoder<unknown, unknown> & { readonly name: string }): string =>
  wanted['_tag' in type ? String(type._tag) : ''] ?? wanted[type.name] ?? type.name;

/** Decodes a document, or a part of it at this path; refuses it with the path of the first value that is not valid. */
export const decodeDocument = <Document>(codec: t.Decoder<unknown, Document>, json: unknown, path = ''): Document => {
  const decoded = codec.decode(json);
  if (E.isRight(decoded)) return decoded.right;
  const [error] = decoded.left;
  if (error === undefined) return refuse(null, 'the document is not as expected');
  const { context, message, value } = error;
  const type = context.at(-1)?.type;
  const shape = type === undefined ? 'something else' : expectation(type);
  const fault = value === undefined ? `is missing; it must be ${shape}` : `is not ${shape}`;
  const inner = fieldPath(context);
  const place = path === '' || inner === '' || inner.startsWith('[') ? path + inner : `${path}.${inner}`;
  return refuse(place, message ?? fault);
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

/** A label or an id of a provider. */
export const TextOrNumber = t.union([t.string, t.number]);

/** The label of a speaker whom the provider numbers; null for nobody. */
export const numberedSpeaker = (speaker: number | undefined): string | null =>
  speaker === undefined ? null : `speaker ${speaker}`;

/** The text of a label, which may be a number; null for nobody. */
export const labelText = (label: string | number | undefined): string | null =>
  label === undefined ? null : String(label);

/**
 * The pieces of speech that a provider lists at a path. `convert` is given an element and its place in the document. The
 * list is empty afterwards: of a million words only one form is in memory.
 */
export const listed = <Element, Piece>(
  path: string,
  list: ReadonlyArray<Element>,
  convert: (element: Element, place: string) => Piece,
): ReadonlyArray<Piece> =>
  list.map((element, index) => {
    Reflect.set(list, index, undefined);
    return convert(element, `${path}[${index}]`);
  });

/** Refuses a list at this path in which a field, or what is at a path in the elements, has a value twice. */
export const refuseDuplicates = (path: string, list: ReadonlyArray<unknown>, field: string): void => {
  const seen = new Set<unknown>();
  for (const [index, item] of list.entries()) {
    const id = valueAt(item, field);
    if (id !== undefined && seen.has(id)) refuse(`${path}[${index}].${field}`, `duplicate id ${JSON.stringify(id)}`);
    seen.add(id);
  }
};

interface Recognised extends Pick<JsonFormat, 'name' | 'paged'> {
  /** A document that has something at any of these paths, which are as those of {@link hasAny}, is of this format. */
  readonly own?: ReadonlyArray<string>;
  /** In place of `own`. */
  readonly recognises?: JsonFormat['recognises'];
  /** The field that says whether the job has ended, and what stands there then. Without the field it has ended. */
  readonly done?: readonly [field: string, ...values: string[]];
  /** A list, and the field of its elements in which no value occurs twice. */
  readonly unique?: readonly [list: string, field: string];
}

/** A JSON format whose documents are decoded by a codec before they are read. */
interface DecodedFormat<Document> extends Recognised {
  readonly codec: t.Decoder<unknown, Document>;
  readonly read: (document: Document, reading: Reading) => DocumentParts;
}

export const jsonFormat = <Document>(format: DecodedFormat<Document>): JsonFormat => {
  const { own = [], recognises = (json) => hasAny(json, ...own), done, unique, codec, read, ...rest } = format;
  return {
    ...rest,
    reads: 'json',
    recognises,
    read: (json, reading) => {
      const [field = '', ...values] = done ?? [];
      const state = done === undefined ? undefined : valueAt(json, field);
      if (state !== undefined && !values.some((value) => value === state))
        refuse(field, `the job is ${JSON.stringify(state)}, not "${values[0]}"`);
      if (unique !== undefined) refuseDuplicates(unique[0], listAt(json, unique[0]), unique[1]);
      return read(decodeDocument(codec, json), reading);
    },
  };
};

/** A piece of speech. Without an end it lasts until the next one. */
interface Piece {
  readonly speaker: string | null;
  readonly channel?: number | string | undefined;
  readonly start: number;
  readonly end?: number | undefined;
  /** Turns have none. */
  readonly text?: string;
  readonly glued?: boolean;
  /** The name of the speaker, if it is not the label. */
  readonly name?: string | undefined;
}

/** A JSON format whose documents are one list of pieces of speech. */
interface ListFormat<Element> extends Recognised, Pick<DocumentParts, 'roles' | 'missing'> {
  /** The path of the list, by which documents are recognised by default. If the format says what is missing, it may be. */
  readonly list: string;
  readonly element: t.Type<Element, unknown>;
  readonly pieces: 'words' | 'utterances' | 'turns';
  /** What an element says; nothing of one that is left out and counted. */
  readonly read: (element: Element, dropped: Tally, place: string) => Piece | ReadonlyArray<Piece>;
  /** Where the document names the recording: the first of these paths that has something. */
  readonly recording?: ReadonlyArray<string>;
  /** Texts have their own spaces: one without is the rest of a word. */
  readonly areParts?: true;
}

export const listFormat = <Element>(format: ListFormat<Element>): JsonFormat => {
  const { list, element, pieces: kind, read, recording = [], areParts, roles, missing, ...rest } = format;
  return jsonFormat({
    own: [`${list}[]`],
    ...rest,
    codec: t.unknown,
    read: (json, { dropped }) => {
      const given = valueAt(json, list) ?? (missing === undefined ? undefined : []);
      const elements = decodeDocument(t.readonlyArray(element), given, list);
      const found = elements.flatMap((one, index) => {
        const place = `${list}[${index}]`;
        return [read(one, dropped, place)].flat().map((piece) => ({ text: '', ...piece, place }));
      });
      const pieces = withEnds(areParts === true ? gluedBySpaces(found) : found);
      const names = pieces.flatMap(({ speaker, name }): [string, string][] =>
        speaker === null || !name ? [] : [[speaker, name]],
      );
      const title = recording.map((path) => valueAt(json, path)).find(TextOrNumber.is);
      return {
        recording: labelText(title),
        rows: elements.length,
        [kind]: pieces,
        names: new Map(names),
        ...(roles === undefined ? {} : { roles }),
        ...(missing === undefined ? {} : { missing }),
      };
    },
  });
};
