import type { Items } from '../codecs/list.js';
import type { BodyBytes } from './body-bytes.js';
import { BrokenJson, afterSpace, afterValue } from './json-bytes.js';
import { parseBounded } from './parse-bounded.js';

/** Where the items of a JSON list are, and how many there are. */
interface ListInBytes {
  readonly items: Items<unknown>;
  /** The place after the closing bracket. */
  readonly end: number;
}

const comma = 0x2c;
const closingBracket = 0x5d;

/** About how many bytes of a list are parsed at once. */
const portion = 65_536;

const parsedPortion = (bytes: BodyBytes, start: number, end: number): ReadonlyArray<unknown> => {
  const items = parseBounded(bytes, ['[', { start, end }, ']']);
  if (!Array.isArray(items) || items.length === 0) throw new BrokenJson('a list with an empty place');
  return items;
};

/**
 * The list whose opening bracket is at `at`, found by a walk over the bytes. Its items are parsed when they are asked
 * for, some at a time, and kept nowhere. What is no JSON throws, here or while the items are walked.
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
  if (bytes.at(place) !== closingBracket) throw new BrokenJson('a list without an end');
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
