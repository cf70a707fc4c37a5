import { isUtf8 } from 'node:buffer';
import type { Items } from '../codecs/list.js';
import { BodyBytes, BrokenJson, afterSpace, afterValue, sizeOfJson } from './json-bytes.js';

/** The maximum number of values, and of mebibytes, that are parsed at once: many times what a real body needs. */
export const maxValues = 250_000;
export const maxMebibytes = 16;

/** Parsing would take more memory than one request may use. */
export class TooMuchJson extends Error {}

/** The bytes are not valid UTF-8. */
export class BrokenText extends Error {}

/** A range of bytes in a body. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

const parse: (text: string) => unknown = JSON.parse;

const lengthOf = (pieces: ReadonlyArray<Span | string>): number =>
  pieces.reduce((sum, piece) => sum + (typeof piece === 'string' ? piece.length : piece.end - piece.start), 0);

/**
 * Parses JSON that consists of pieces of a body and of other texts, within the limits above. Throws `TooMuchJson`,
 * `BrokenText`, or a `SyntaxError`. The pieces must not split a character.
 */
export const parseBounded = (bytes: BodyBytes, pieces: ReadonlyArray<Span | string>): unknown => {
  const length = lengthOf(pieces);
  if (length > maxMebibytes * 1024 * 1024) throw new TooMuchJson();
  const json = Buffer.concat(
    pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : bytes.copy(piece.start, piece.end))),
    length,
  );
  if (!isUtf8(json)) throw new BrokenText();
  if (length > maxValues && sizeOfJson(new BodyBytes([json], length)).values > maxValues) throw new TooMuchJson();
  return parse(json.toString('utf8'));
};

/** A JSON list whose items are parsed on demand. */
interface ListInBytes {
  readonly items: Items<unknown>;
  /** The offset after the closing bracket. */
  readonly end: number;
}

const comma = 0x2c;
const closingBracket = 0x5d;

/** About this many bytes of a list are parsed at once. */
const portion = 65_536;

const parsedPortion = (bytes: BodyBytes, start: number, end: number): ReadonlyArray<unknown> => {
  const items = parseBounded(bytes, ['[', { start, end }, ']']);
  if (!Array.isArray(items) || items.length === 0) throw new BrokenJson('list with a missing item');
  return items;
};

/**
 * The list whose opening bracket is at `at`. Its items are parsed in portions each time they are iterated, and are not
 * kept. Throws for invalid JSON, here or while the items are iterated.
 */
export const listInBytes = (bytes: BodyBytes, at: number): ListInBytes => {
  const first = afterSpace(bytes, at + 1);
  if (bytes.at(first) === closingBracket) return { items: [], end: first + 1 };
  const cuts: number[] = [];
  let length = 1;
  let start = first;
  let place = afterValue(bytes, first);
  for (; bytes.at(place) === comma; place = afterValue(bytes, place + 1)) {
    length += 1;
    if (place - start < portion) continue;
    cuts.push(place);
    start = place + 1;
  }
  if (bytes.at(place) !== closingBracket) throw new BrokenJson('unterminated list');
  cuts.push(place);
  const items = {
    length,
    *[Symbol.iterator]() {
      let from = first;
      for (const cut of cuts) {
        yield* parsedPortion(bytes, from, cut);
        from = cut + 1;
      }
    },
  };
  return { items, end: place + 1 };
};
