/** The first value that was there before; undefined when all differ. */
export const firstRepeated = <Value>(values: ReadonlyArray<Value>): Value | undefined => {
  const seen = new Set<Value>();
  return values.find((value) => seen.size === seen.add(value).size);
};
