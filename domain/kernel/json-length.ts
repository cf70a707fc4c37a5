const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** NaN from the first number on that JSON cannot write. */
const leftAfter = (value: unknown, room: number): number => {
  if (typeof value === 'string') return room - value.length - 2;
  if (typeof value === 'number' && !Number.isFinite(value)) return Number.NaN;
  if (!isObject(value)) return room - 5;
  let left = room - 2;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && left >= 0; index += 1) left = leftAfter(value[index], left - 1);
    return left;
  }
  // Nothing is made on the way: a list of the names would take several times as long.
  for (const key in value) {
    if (!(left >= 0)) return left;
    left = leftAfter(value[key], left - key.length - 4);
  }
  return left;
};

/** The length, as `jsonLength` tells it; null where there is a number in the value that JSON cannot write. */
export const writableLength = (value: unknown, most: number): number | null => {
  const left = leftAfter(value, most);
  return Number.isNaN(left) ? null : most - left;
};

/** About how long the JSON of a value is, in characters; one that is longer than `most` is looked at no further. */
export const jsonLength = (value: unknown, most: number = Number.MAX_SAFE_INTEGER): number =>
  writableLength(value, most) ?? JSON.stringify(value).length;
