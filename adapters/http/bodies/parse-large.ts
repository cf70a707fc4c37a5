import type { Items } from '../codecs/list.js';
import type { BodyBytes } from './body-bytes.js';
import { BrokenJson, afterSpace, afterString, afterValue } from './json-bytes.js';
import { listInBytes } from './json-items.js';
import { type Span, TooMuchJson, mostValues, parseBounded } from './parse-bounded.js';

/**
 * Which fields of an object hold long lists, to be read piece by piece (`items`), or lists of objects that have such
 * fields in their turn. At most one field of a body may be of the second kind.
 */
export interface LongFields {
  readonly [field: string]: 'items' | LongFields;
}

/** A body without its long lists, each an empty list now, and the walks that put them back. */
interface Skeleton {
  readonly pieces: Array<Span | string>;
  /** The long lists by their places, as in `faces 3 tracks`; of two fields of one name the last counts. */
  readonly lists: Map<string, { readonly path: ReadonlyArray<string>; readonly items: Items<unknown> }>;
}

const quote = 0x22;
const colon = 0x3a;
const comma = 0x2c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

const parse: (text: string) => unknown = JSON.parse;

/** More long lists than any body within its limits has. */
const mostLists = 40_000;

/** Of two fields of one name the last counts: what was found in the one before is dropped. */
const forget = ({ lists }: Skeleton, path: ReadonlyArray<string>, kind: 'items' | LongFields): void => {
  const key = path.join(' ');
  if (kind === 'items') lists.delete(key);
  else lists.clear();
};

/** A byte order mark is no part of the JSON. */
const startOf = (bytes: BodyBytes): number => (bytes.copy(0, Math.min(3, bytes.length)).equals(byteOrderMark) ? 3 : 0);

/** Walks over a body and takes its long lists out; all other bytes go into the skeleton as they are. */
const dissect = (bytes: BodyBytes, fields: LongFields, skeleton: Skeleton): void => {
  let kept = startOf(bytes);
  const keepUpTo = (place: number): void => void skeleton.pieces.push({ start: kept, end: place });

  const longList = (at: number, path: ReadonlyArray<string>): number => {
    const { items, end } = listInBytes(bytes, at);
    keepUpTo(at);
    skeleton.pieces.push('[]');
    kept = end;
    if (skeleton.lists.size === mostLists) throw new TooMuchJson();
    skeleton.lists.set(path.join(' '), { path, items });
    return end;
  };
  const objects = (at: number, inner: LongFields, path: ReadonlyArray<string>): number => {
    let place = afterSpace(bytes, at + 1);
    for (let index = 0; bytes.at(place) !== closeBracket; index += 1) {
      if (index > mostValues) throw new TooMuchJson();
      place = value(place, inner, [...path, String(index)]);
      if (bytes.at(place) === comma) place = afterSpace(bytes, place + 1);
      else if (bytes.at(place) !== closeBracket) throw new BrokenJson('a list without an end');
    }
    return place + 1;
  };
  /** The place after a value and the white space that follows it. */
  const value = (at: number, inner: LongFields, path: ReadonlyArray<string>): number =>
    afterSpace(bytes, bytes.at(at) === openBrace ? object(at, inner, path) : afterValue(bytes, at));

  const field = (at: number, name: string, inner: LongFields, path: ReadonlyArray<string>): number => {
    const kind = Object.hasOwn(inner, name) ? inner[name] : undefined;
    if (kind === undefined) return afterValue(bytes, at);
    forget(skeleton, [...path, name], kind);
    if (bytes.at(at) !== openBracket) return afterValue(bytes, at);
    return kind === 'items' ? longList(at, [...path, name]) : objects(at, kind, [...path, name]);
  };
  const object = (at: number, inner: LongFields, path: ReadonlyArray<string>): number => {
    let place = afterSpace(bytes, at + 1);
    while (bytes.at(place) === quote) {
      const end = afterString(bytes, place);
      const name = parse(bytes.copy(place, end).toString('utf8'));
      place = afterSpace(bytes, end);
      if (bytes.at(place) !== colon) throw new BrokenJson('a name without a value');
      place = afterSpace(bytes, field(afterSpace(bytes, place + 1), String(name), inner, path));
      if (bytes.at(place) !== comma) break;
      place = afterSpace(bytes, place + 1);
    }
    if (bytes.at(place) !== closeBrace) throw new BrokenJson('an object without an end');
    return place + 1;
  };
  value(afterSpace(bytes, kept), fields, []);
  keepUpTo(bytes.length);
};

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Puts a long list where an empty one was left for it. */
const restore = (body: unknown, path: ReadonlyArray<string>, items: Items<unknown>): void => {
  const parent = path.slice(0, -1).reduce<unknown>((at, key) => (isObject(at) ? Reflect.get(at, key) : null), body);
  const last = path.at(-1);
  if (isObject(parent) && last !== undefined) Reflect.set(parent, last, items);
};

/**
 * Parses a large body without ever holding all of it: its long lists are parsed piece by piece, each time that they are
 * walked. Throws what the parser throws on what is no JSON (in a long list: when it is walked), and `TooMuchJson`.
 */
export const parseLarge = (bytes: BodyBytes, fields: LongFields): unknown => {
  const skeleton: Skeleton = { pieces: [], lists: new Map() };
  dissect(bytes, fields, skeleton);
  const body = parseBounded(bytes, skeleton.pieces);
  for (const { path, items } of skeleton.lists.values()) restore(body, path, items);
  return body;
};
