const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** Room left after the value; NaN if it contains a number that JSON cannot write. */
const roomAfter = (value: unknown, room: number): number => {
  if (typeof value === 'string') return room - value.length - 2;
  if (typeof value === 'number' && !Number.isFinite(value)) return Number.NaN;
  if (!isObject(value)) return room - 5;
  let left = room - 2;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && left >= 0; index += 1) left = roomAfter(value[index], left - 1);
    return left;
  }
  // Iterates without allocating: a list of the keys would take several times as long.
  for (const key in value) {
    if (!(left >= 0)) return left;
    left = roomAfter(value[key], left - key.length - 4);
  }
  return left;
};

/** Like `jsonLength`, but null if the value contains a number that JSON cannot write. */
export const writableLength = (value: unknown, max: number): number | null => {
  const left = roomAfter(value, max);
  return Number.isNaN(left) ? null : max - left;
};

/** Approximate length of the value's JSON in characters. Measuring stops at `max`. */
export const jsonLength = (value: unknown, max: number = Number.MAX_SAFE_INTEGER): number =>
  writableLength(value, max) ?? JSON.stringify(value).length;

/** Characters that count as one more state of usual size. */
const charactersPerWeight = 80_000;

/** States are immutable and share most parts with earlier states, so each part is measured once. */
const measured = new WeakMap<object, number>();
/** Parts up to this length are cheaper to measure again than to look up. */
const maxUnmeasured = 500;

const measure = (part: object): number => {
  if (!(part instanceof Map)) return jsonLength(part);
  const values: Iterable<unknown> = part.values();
  let length = 0;
  for (const value of values) {
    const atMost = value instanceof Map ? maxUnmeasured + 1 : jsonLength(value, maxUnmeasured);
    length += typeof value === 'object' && value !== null && atMost > maxUnmeasured ? lengthOf(value) : atMost;
  }
  return length;
};

const lengthOf = (part: object): number => {
  const known = measured.get(part) ?? measure(part);
  measured.set(part, known);
  return known;
};

/** Relative memory use of a state, given its parts that may be large. A usual state has weight 1. */
export const weightOf = (...parts: ReadonlyArray<object>): number =>
  1 + parts.reduce((length, part) => length + lengthOf(part), 0) / charactersPerWeight;

/** Length of a well-formed string in bytes of UTF-8. */
export const utf8Length = (text: string): number => {
  let bytes = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit > 0x7f) bytes += 1;
    // A surrogate pair takes four bytes, two for each half.
    if (unit > 0x7ff && (unit < 0xd800 || unit > 0xdfff)) bytes += 1;
  }
  return bytes;
};

/** How many leading items fit into `room` by their sizes; at least one if there are any. */
export const countFitting = (sizes: ReadonlyArray<number>, room: number): number => {
  let taken = 0;
  const tooMany = sizes.findIndex((size, index) => {
    taken += size;
    return taken > room && index > 0;
  });
  return tooMany < 0 ? sizes.length : tooMany;
};
