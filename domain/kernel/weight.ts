import { jsonLength } from './json-length.js';

/** So much text, in characters, counts as one more usual state. */
const charactersPerWeight = 80_000;

/** States share most of themselves with those before, and nothing in them ever changes: each part is measured once. */
const measured = new WeakMap<object, number>();
/** What is no longer is measured again sooner than it is looked up. */
const short = 500;

const measure = (part: object): number => {
  if (!(part instanceof Map)) return jsonLength(part);
  const values: Iterable<unknown> = part.values();
  let length = 0;
  for (const value of values) {
    const atMost = value instanceof Map ? short + 1 : jsonLength(value, short);
    length += typeof value === 'object' && value !== null && atMost > short ? lengthOf(value) : atMost;
  }
  return length;
};

const lengthOf = (part: object): number => {
  const known = measured.get(part) ?? measure(part);
  measured.set(part, known);
  return known;
};

/** How much memory a state takes of which these are the parts that may be large; a usual one takes 1. */
export const weightOf = (...parts: ReadonlyArray<object>): number =>
  1 + parts.reduce((length, part) => length + lengthOf(part), 0) / charactersPerWeight;
