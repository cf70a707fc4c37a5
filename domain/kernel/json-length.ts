const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const leftAfter = (value: unknown, room: number): number => {
  if (typeof value === 'string') return room - value.length - 2;
  if (!isObject(value)) return room - 5;
  let left = room - 2;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && left >= 0; index += 1) left = leftAfter(value[index], left - 1);
    return left;
  }
  // Nothing is made on the way: a list of the names would take several times as long.
  for (const key in value) {
    if (left < 0) return left;
    left = leftAfter(value[key], left - key.length - 4);
  }
  return left;
};

/** About how long the JSON of a value is, in characters; one that is longer than `most` is looked at no further. */
export const jsonLength = (value: unknown, most: number = Number.MAX_SAFE_INTEGER): number =>
  most - leftAfter(value, most);
