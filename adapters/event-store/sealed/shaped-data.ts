import type { Json, JsonObject } from '../../../domain/kernel/json.js';
import { type Shape, shapes } from './shapes.js';

/*
 * A binary form of event data that is shorter than JSON and several times faster to read. It is a sequence of values,
 * each beginning with a byte that says what it is. Objects of common shapes are written without field names, and short
 * texts that occurred before by their number.
 */

/** The bytes that begin values. Shapes, small numbers and lengths of short texts are counted from these. */
const [absent, yes, no, number, float, text, again, list, object] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
const [shape, small, short] = [16, 128, 176];
/** The greatest numbers in one byte and in two. */
const [maxByte, maxTwoBytes] = [0xff, 0xffff];
const [smallNumbers, shortTexts] = [short - small, maxByte + 1 - short];
const floatLength = 8;

/** Data with more characters of JSON, or nested deeper, is not written in this form. */
const [maxCharacters, maxDepth] = [4_096, 32];
/**
 * The minimum ratio of the JSON's length to that of this form. Data below it, such as long texts, is better compressed.
 */
const minSaving = 2;

/** A tree of field names: the fields seen so far, and which may come next. */
interface Fields {
  readonly next: Map<string, Fields>;
  /**
   * The byte for an object with exactly these fields, and the length of its JSON without the values; null if there is
   * no such shape.
   */
  shape: { readonly byte: number; readonly characters: number } | null;
}

const noFields = (): Fields => ({ next: new Map(), shape: null });
const allShapes = noFields();

const addShape = (make: Shape, index: number): void => {
  const names = Object.keys(make(() => null));
  const last = names.reduce((fields, name) => {
    const more = fields.next.get(name) ?? noFields();
    fields.next.set(name, more);
    return more;
  }, allShapes);
  last.shape = { byte: shape + index, characters: names.reduce((sum, name) => sum + name.length + 3, 2) };
};
shapes.forEach(addShape);

const shapeOf = (value: JsonObject): Fields['shape'] => {
  let fields: Fields | undefined = allShapes;
  for (const name in value) {
    fields = fields.next.get(name);
    if (fields === undefined) return null;
  }
  return fields.shape;
};

/** The output; no character of JSON takes more than four bytes in this form. */
const bytes = Buffer.alloc(4 * maxCharacters);
const numbersOfTexts = new Map<string, number>();
let [written, characters] = [0, 0];

const putByte = (byte: number): void => {
  bytes[written++] = byte;
};
const putTwo = (begin: number, value: number): void => {
  putByte(begin);
  putByte(value & maxByte);
  putByte(value >>> 8);
};

// The following functions return false for data that has to be written as JSON.

const putText = (value: string): boolean => {
  characters += value.length + 3;
  const known = numbersOfTexts.get(value);
  if (known !== undefined) {
    putByte(again);
    putByte(known);
    return true;
  }
  if (characters > maxCharacters || !value.isWellFormed()) return false;
  const length = bytes.write(value, written + 1);
  if (length < shortTexts) {
    if (numbersOfTexts.size <= maxByte) numbersOfTexts.set(value, numbersOfTexts.size);
    putByte(short + length);
  } else {
    putTwo(text, length);
    bytes.write(value, written);
  }
  written += length;
  return true;
};

const putNumber = (value: number): boolean => {
  characters += 7;
  if (Number.isInteger(value) && value >= 0 && value <= maxTwoBytes) {
    if (value < smallNumbers) putByte(small + value);
    else putTwo(number, value);
    return true;
  }
  putByte(float);
  written = bytes.writeDoubleLE(value, written);
  return Number.isFinite(value);
};

const putConstant = (byte: number): boolean => {
  characters += 5;
  putByte(byte);
  return true;
};

const isList = (value: Json): value is ReadonlyArray<Json> => Array.isArray(value);

const putList = (values: ReadonlyArray<Json>, depth: number): boolean => {
  characters += 3;
  putByte(list);
  putByte(values.length);
  if (values.length > maxByte) return false;
  for (const value of values) if (!put(value, depth)) return false;
  return true;
};

const putObject = (value: JsonObject, depth: number): boolean => {
  if (Object.getPrototypeOf(value) !== Object.prototype) return false;
  const known = shapeOf(value);
  if (known !== null) {
    characters += known.characters;
    putByte(known.byte);
    for (const name in value) if (!put(value[name], depth)) return false;
    return true;
  }
  const names = Object.keys(value);
  characters += names.length + 3;
  putByte(object);
  putByte(names.length);
  if (names.length > maxByte || names.includes('__proto__')) return false;
  return names.every((name) => putText(name) && put(value[name], depth));
};

const put = (value: Json | undefined, depth: number): boolean => {
  if (characters > maxCharacters || depth === 0 || value === undefined) return false;
  if (typeof value === 'string') return putText(value);
  if (typeof value === 'number') return putNumber(value);
  if (value === null) return putConstant(absent);
  if (typeof value === 'boolean') return putConstant(value ? yes : no);
  return isList(value) ? putList(value, depth - 1) : putObject(value, depth - 1);
};

/**
 * Data in this form, after the given first byte; null where JSON serves better. The returned bytes are valid until the
 * next call.
 */
export const shapedData = (first: number, data: JsonObject): Buffer | null => {
  [written, characters] = [0, 0];
  putByte(first);
  const isWritten = put(data, maxDepth);
  // Erased data must not remain in memory.
  numbersOfTexts.clear();
  return isWritten && written * minSaving <= characters ? bytes.subarray(0, written) : null;
};

/** The input, the read position, and the short texts that occurred so far. */
let source: Buffer = bytes;
let at = 0;
let texts: string[] = [];

const damaged = (): never => {
  throw new Error('the data is not in the shaped form');
};
const nextByte = (): number => source[at++] ?? damaged();
const nextTwo = (): number => nextByte() | (nextByte() << 8);

const nextText = (length: number): string => {
  at += length;
  return source.toString('utf8', at - length, at);
};

const nextList = (): ReadonlyArray<Json> => {
  const values: Json[] = [];
  for (let left = nextByte(); left > 0; left -= 1) values.push(nextValue());
  return values;
};

const nextObject = (): JsonObject => {
  const value: Record<string, Json> = {};
  for (let left = nextByte(); left > 0; left -= 1) {
    const name = nextValue();
    if (typeof name !== 'string') return damaged();
    value[name] = nextValue();
  }
  return value;
};

const nextValue = (): Json => {
  const byte = nextByte();
  if (byte >= short) {
    const value = nextText(byte - short);
    texts.push(value);
    return value;
  }
  if (byte >= small) return byte - small;
  if (byte >= shape) return (shapes[byte - shape] ?? damaged)(nextValue);
  switch (byte) {
    case absent:
      return null;
    case yes:
    case no:
      return byte === yes;
    case number:
      return nextTwo();
    case float:
      at += floatLength;
      return source.readDoubleLE(at - floatLength);
    case text:
      return nextText(nextTwo());
    case again:
      return texts[nextByte()] ?? damaged();
    case list:
      return nextList();
    case object:
      return nextObject();
    default:
      return damaged();
  }
};

/** The data that was written after the first byte; throws on invalid input. */
export const dataOfShaped = (from: Buffer): Json => {
  [source, at] = [from, 1];
  try {
    const data = nextValue();
    return at === from.length ? data : damaged();
  } finally {
    [source, texts] = [bytes, []];
  }
};
