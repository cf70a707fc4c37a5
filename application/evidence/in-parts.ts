/** About how many characters of JSON one part holds, well below what any store takes as one event. */
const partSize = 200_000;

/** Cuts a list into parts of about equal weight in JSON, in order; at least one part, be it empty. */
export const inParts = <Item>(items: ReadonlyArray<Item>): ReadonlyArray<ReadonlyArray<Item>> => {
  const parts: Array<Array<Item>> = [[]];
  let weight = 0;
  for (const item of items) {
    const size = JSON.stringify(item).length;
    if (weight > 0 && weight + size > partSize) {
      parts.push([]);
      weight = 0;
    }
    parts[parts.length - 1]?.push(item);
    weight += size;
  }
  return parts;
};
