import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { fieldPath } from '../../domain/kernel/field-path.js';
import type { ImportError } from './imported.js';

/** An error at a place of a JSON document. */
export const errorIn = (path: string, message: string): E.Either<ImportError, never> =>
  E.left({ line: null, path, message });

const lineOf = (text: string, position: number): number => {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < position; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
};

const syntaxFault = (text: string, reason: string): ImportError => {
  const position = Number(/position (\d+)/.exec(reason)?.[1] ?? text.length);
  const cut = position >= text.trimEnd().length;
  return {
    line: lineOf(text, Math.min(position, text.trimEnd().length)),
    message: cut
      ? 'the JSON is incomplete; the file seems to be truncated'
      : `not valid JSON: ${reason.replace(/ in JSON at position.*$/s, '')}`,
  };
};

/** Parses JSON; a syntax error has its line. */
export const parseDocument = (text: string): E.Either<ImportError, unknown> =>
  E.tryCatch(
    (): unknown => JSON.parse(text),
    (error) => syntaxFault(text, error instanceof Error ? error.message : String(error)),
  );

/** The value at a path of keys; undefined if there is none. */
export const valueAt = (json: unknown, ...keys: ReadonlyArray<string | number>): unknown =>
  keys.reduce<unknown>((value, key) => {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    const inner: unknown = Reflect.get(value, key);
    return inner;
  }, json);

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

const describeError = ({ context, message, value }: t.ValidationError): ImportError => {
  const type = context.at(-1)?.type;
  const shape = type === undefined ? 'something else' : expectation(type);
  const fault = value === undefined ? `is missing; it must be ${shape}` : `is not ${shape}`;
  return { line: null, path: fieldPath(context), message: message ?? fault };
};

/** Decodes a document; the error has the path of the first value that is invalid. */
export const decodeDocument = <Document>(
  codec: t.Decoder<unknown, Document>,
  json: unknown,
): E.Either<ImportError, Document> =>
  E.mapLeft(([first]: t.Errors): ImportError =>
    first === undefined ? { line: null, message: 'the document is not as expected' } : describeError(first),
  )(codec.decode(json));

/** Refuses duplicate ids in a list. */
export const refuseDuplicates = <Item>(
  items: ReadonlyArray<Item>,
  idOf: (item: Item) => string | number,
  placeOf: (index: number) => string,
): E.Either<ImportError, void> => {
  const seen = new Set<string | number>();
  for (const [index, item] of items.entries()) {
    const id = idOf(item);
    if (seen.has(id)) return errorIn(placeOf(index), `duplicate id ${JSON.stringify(id)}`);
    seen.add(id);
  }
  return E.right(undefined);
};
