import type { BodyBytes } from './body-bytes.js';

/** JSON that has no value or no end where one is needed. Only what a walk over the bytes sees: the rest is the parser's. */
export class BrokenJson extends Error {}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;

const isOpening = (byte: number | undefined): boolean => byte === 0x5b || byte === 0x7b;
const isClosing = (byte: number | undefined): boolean => byte === 0x5d || byte === 0x7d;
const isSpace = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** The first place from `at` on that holds no white space. */
export const afterSpace = (bytes: BodyBytes, at: number): number => {
  let place = at;
  while (isSpace(bytes.at(place))) place += 1;
  return place;
};

/** The place after a string whose opening quote is at `at`. */
export const afterString = (bytes: BodyBytes, at: number): number => {
  let place = at + 1;
  while (place < bytes.length) {
    const byte = bytes.at(place);
    if (byte === quote) return place + 1;
    place += byte === backslash ? 2 : 1;
  }
  throw new BrokenJson('a string without an end');
};

/** The place of the comma or closing bracket that ends the value at `at`, or the end of the bytes. */
export const afterValue = (bytes: BodyBytes, at: number): number => {
  let depth = 0;
  let place = at;
  while (place < bytes.length) {
    const byte = bytes.at(place);
    if (byte === quote) {
      place = afterString(bytes, place);
      continue;
    }
    if (depth === 0 && (byte === comma || isClosing(byte))) return place;
    if (isOpening(byte)) depth += 1;
    else if (isClosing(byte)) depth -= 1;
    place += 1;
  }
  return place;
};

/** How many values JSON holds, itself included, at most one too many for each empty list or object; and how deep they lie. */
export const sizeOfJson = (bytes: BodyBytes): { readonly values: number; readonly depth: number } => {
  let values = 1;
  let deepest = 0;
  let depth = 0;
  for (let place = 0; place < bytes.length; place += 1) {
    const byte = bytes.at(place);
    if (byte === quote) place = afterString(bytes, place) - 1;
    else if (byte === comma) values += 1;
    else if (isOpening(byte)) {
      values += 1;
      depth += 1;
      if (depth > deepest) deepest = depth;
    } else if (isClosing(byte)) depth -= 1;
  }
  return { values, depth: deepest };
};
