import * as E from 'fp-ts/lib/Either.js';
import { refuse, Tally } from './format.js';
import { linesIn } from './text.js';

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

/** The engine tells the position of a syntax error, or else quotes what is around it. */
const refuseSyntax = (text: string, message: string): never => {
  const end = text.trimEnd().length;
  const position = /at position (\d+)/.exec(message)?.[1];
  const isCut = position === undefined ? message.startsWith('Unexpected end') : Number(position) >= end;
  if (isCut || message.startsWith('Unterminated string'))
    return refuse(lineOf(text, end), 'the JSON is incomplete; the file seems to be truncated');
  const place = position === undefined ? null : lineOf(text, Number(position));
  const what = message.replace(/ (?:in JSON )?at position.*$| is not valid JSON$/s, '').replaceAll(/\s+/g, ' ');
  return refuse(place, `not valid JSON: ${what}`);
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
