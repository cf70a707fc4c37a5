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

/** How many leading items fit into `room` by their sizes; at least one if there are any. */
export const countFitting = (sizes: ReadonlyArray<number>, room: number): number => {
  let taken = 0;
  const tooMany = sizes.findIndex((size, index) => {
    taken += size;
    return taken > room && index > 0;
  });
  return tooMany < 0 ? sizes.length : tooMany;
};

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const isOpening = (byte: number | undefined): boolean => byte === 0x5b || byte === 0x7b;
const isClosing = (byte: number | undefined): boolean => byte === 0x5d || byte === 0x7d;

/** The offset of the quote that ends the string which begins at `start`, or the end of the bytes. */
const endOfString = (bytes: Uint8Array, start: number): number => {
  let offset = start + 1;
  while (offset < bytes.length && bytes[offset] !== quote) offset += bytes[offset] === backslash ? 2 : 1;
  return offset;
};

/**
 * The number of values of JSON, and the nesting depth, without parsing it: parsing cannot be interrupted when it needs too
 * much memory.
 */
export const countJson = (bytes: Uint8Array): { readonly values: number; readonly depth: number } => {
  let [values, depth, deepest] = [1, 0, 0];
  let opened = -1;
  for (let offset = 0; offset < bytes.length; offset += 1) {
    const byte = bytes[offset];
    if (byte === quote) offset = endOfString(bytes, offset);
    else if (byte === comma) values += 1;
    else if (isOpening(byte)) {
      values += 1;
      depth += 1;
      deepest = Math.max(deepest, depth);
      opened = offset;
    } else if (isClosing(byte)) {
      depth -= 1;
      // An empty list or object has no first value.
      if (opened === offset - 1) values -= 1;
    }
  }
  return { values, depth: deepest };
};
