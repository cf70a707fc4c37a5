/** Bulky evidence as it is written: cut into parts, each the JSON of what one event holds. */
export interface PackedParts {
  /** At least one. Each is the UTF-8 of a JSON list. */
  readonly parts: ReadonlyArray<Uint8Array>;
  /** A digest of all that the parts hold: equal items, equal digests. */
  readonly digest: string;
}

/** About how many characters of JSON one part holds, well below what any store takes as one event. */
const partSize = 200_000;

/**
 * Cuts items into parts of about equal weight in JSON, in order; at least one part, be it empty. Works through the items
 * one by one, so that a million of them need not be in memory at once; it takes as long as writing them as JSON.
 */
export const packParts = (items: Iterable<unknown>, digest: (text: string) => string): PackedParts => {
  const encoder = new TextEncoder();
  const parts: Uint8Array[] = [];
  const digests: string[] = [];
  let texts: string[] = [];
  let weight = 0;
  const finish = (): void => {
    const json = `[${texts.join(',')}]`;
    parts.push(encoder.encode(json));
    digests.push(digest(json));
    texts = [];
    weight = 0;
  };
  for (const item of items) {
    const text = JSON.stringify(item);
    if (weight > 0 && weight + text.length > partSize) finish();
    texts.push(text);
    weight += text.length;
  }
  if (texts.length > 0 || parts.length === 0) finish();
  return { parts, digest: digest(digests.join(' ')) };
};
