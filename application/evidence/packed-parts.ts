/** Bulky evidence in the form in which it is written: parts, each the JSON of one event's items. */
export interface PackedParts {
  /** At least one. Each is the UTF-8 of a JSON list. */
  readonly parts: ReadonlyArray<Uint8Array>;
  /** A digest of all parts: equal items have equal digests. */
  readonly digest: string;
}

/** The approximate size of a part in characters of JSON, well below the event size limit of any store. */
const partSize = 200_000;

/**
 * Splits items into parts of about equal size in JSON, in order; at least one part, which may be empty. Iterates over the
 * items, so that not all need to be in memory.
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
