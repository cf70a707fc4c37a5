import type { Items } from '../codecs/list.js';
import { type BodyBytes, BrokenJson, afterSpace, afterString, afterValue } from './json-bytes.js';
import { type Span, TooMuchJson, listInBytes, maxValues, parseBounded } from './parse-bounded.js';

/**
 * The fields of an object that contain long lists, which are parsed on demand (`items`), or lists of objects that have such
 * fields. At most one field of a body may be of the second kind.
 */
export interface LongFields {
  readonly [field: string]: 'items' | LongFields;
}

/** A body whose long lists were replaced by empty ones, and the lists. */
interface Skeleton {
  readonly pieces: Array<Span | string>;
  /** The long lists by their path, for example `faces 3 tracks`. If a field occurs twice, the last one counts. */
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

/** More long lists than any valid body has. */
const maxLists = 40_000;

/** If a field occurs twice, the last one counts: the lists of an earlier one are dropped. */
const dropEarlier = ({ lists }: Skeleton, path: ReadonlyArray<string>, kind: 'items' | LongFields): void => {
  const key = path.join(' ');
  if (kind === 'items') lists.delete(key);
  else lists.clear();
};

/** A byte order mark is not part of the JSON. */
const startOf = (bytes: BodyBytes): number => (bytes.copy(0, Math.min(3, bytes.length)).equals(byteOrderMark) ? 3 : 0);

/** Takes the long lists out of a body; all other bytes go to the skeleton unchanged. */
const extractLists = (bytes: BodyBytes, fields: LongFields, skeleton: Skeleton): void => {
  let kept = startOf(bytes);
  const keepUpTo = (place: number): void => void skeleton.pieces.push({ start: kept, end: place });

  const longList = (at: number, path: ReadonlyArray<string>): number => {
    const { items, end } = listInBytes(bytes, at);
    keepUpTo(at);
    skeleton.pieces.push('[]');
    kept = end;
    if (skeleton.lists.size === maxLists) throw new TooMuchJson();
    skeleton.lists.set(path.join(' '), { path, items });
    return end;
  };
  const objects = (at: number, inner: LongFields, path: ReadonlyArray<string>): number => {
    let place = afterSpace(bytes, at + 1);
    for (let index = 0; bytes.at(place) !== closeBracket; index += 1) {
      if (index > maxValues) throw new TooMuchJson();
      place = value(place, inner, [...path, String(index)]);
      if (bytes.at(place) === comma) place = afterSpace(bytes, place + 1);
      else if (bytes.at(place) !== closeBracket) throw new BrokenJson('unterminated list');
    }
    return place + 1;
  };
  /** The offset after a value and the white space that follows it. */
  const value = (at: number, inner: LongFields, path: ReadonlyArray<string>): number =>
    afterSpace(bytes, bytes.at(at) === openBrace ? object(at, inner, path) : afterValue(bytes, at));

  const field = (at: number, name: string, inner: LongFields, path: ReadonlyArray<string>): number => {
    const kind = Object.hasOwn(inner, name) ? inner[name] : undefined;
    if (kind === undefined) return afterValue(bytes, at);
    dropEarlier(skeleton, [...path, name], kind);
    if (bytes.at(at) !== openBracket) return afterValue(bytes, at);
    return kind === 'items' ? longList(at, [...path, name]) : objects(at, kind, [...path, name]);
  };
  const object = (at: number, inner: LongFields, path: ReadonlyArray<string>): number => {
    let place = afterSpace(bytes, at + 1);
    while (bytes.at(place) === quote) {
      const end = afterString(bytes, place);
      const name = parse(bytes.copy(place, end).toString('utf8'));
      place = afterSpace(bytes, end);
      if (bytes.at(place) !== colon) throw new BrokenJson('field without a value');
      place = afterSpace(bytes, field(afterSpace(bytes, place + 1), String(name), inner, path));
      if (bytes.at(place) !== comma) break;
      place = afterSpace(bytes, place + 1);
    }
    if (bytes.at(place) !== closeBrace) throw new BrokenJson('unterminated object');
    return place + 1;
  };
  value(afterSpace(bytes, kept), fields, []);
  keepUpTo(bytes.length);
};

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Puts a long list back into the parsed body. */
const restore = (body: unknown, path: ReadonlyArray<string>, items: Items<unknown>): void => {
  const parent = path.slice(0, -1).reduce<unknown>((at, key) => (isObject(at) ? Reflect.get(at, key) : null), body);
  const last = path.at(-1);
  if (isObject(parent) && last !== undefined) Reflect.set(parent, last, items);
};

/**
 * Parses a large body without holding all of it in memory: long lists are parsed in portions each time they are iterated.
 * Throws for invalid JSON (in a long list: when it is iterated), and `TooMuchJson`.
 */
export const parseLarge = (bytes: BodyBytes, fields: LongFields): unknown => {
  const skeleton: Skeleton = { pieces: [], lists: new Map() };
  extractLists(bytes, fields, skeleton);
  const body = parseBounded(bytes, skeleton.pieces);
  for (const { path, items } of skeleton.lists.values()) restore(body, path, items);
  return body;
};
