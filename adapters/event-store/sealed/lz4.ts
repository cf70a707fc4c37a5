/** Compresses texts in the LZ4 block format, with a dictionary that logically precedes them. */
export interface Lz4 {
  /** The compressed block of a text. The returned bytes are valid until the next call. */
  readonly compressed: (text: Uint8Array) => Uint8Array;
  /** The UTF-8 text of the block that begins at `start`. Throws if it is not a valid block. */
  readonly expanded: (block: Uint8Array, start: number) => string;
}

const minMatch = 4;
/**
 * The format's rules for the end of a block: the last match begins at least 12 bytes before it, and the last 5 bytes
 * are literals.
 */
const [lastMatch, lastLiterals] = [12, 5];
/** The greatest value of four bits: with it, and with each following byte of 255, the number continues. */
const [maxNibble, maxByte] = [15, 255];

const hashBits = 12;
const hashOf = (four: number): number => Math.imul(four, 0x9e3779b1) >>> (32 - hashBits);

/** Writes blocks for the content of `text`, of at most `maxLength` bytes each. */
const blockWriter = (text: Uint8Array, maxLength: number) => {
  const block = new Uint8Array(maxLength + Math.ceil(maxLength / maxByte) + minMatch);
  let written = 0;
  const putMore = (number: number): void => {
    let more = number - maxNibble;
    for (; more >= maxByte; more -= maxByte) block[written++] = maxByte;
    if (more >= 0) block[written++] = more;
  };
  const putLiterals = (from: number, to: number, next: number): void => {
    block[written++] = (Math.min(to - from, maxNibble) << 4) | Math.min(next, maxNibble);
    putMore(to - from);
    for (let at = from; at < to; at += 1) block[written++] = text[at] ?? 0;
  };
  return {
    /** Writes the literals between two places, then a match of `bytes` bytes at the distance `back`. */
    put: (from: number, to: number, back: number, bytes: number): void => {
      putLiterals(from, to, bytes - minMatch);
      block[written++] = back & 0xff;
      block[written++] = back >>> 8;
      putMore(bytes - minMatch);
    },
    /** Writes the last literals and returns the block. */
    end: (from: number, to: number): Uint8Array => {
      putLiterals(from, to, 0);
      const length = written;
      written = 0;
      return block.subarray(0, length);
    },
  };
};

const compressor = (dictionary: Uint8Array, maxLength: number): Lz4['compressed'] => {
  const start = dictionary.length;
  const text = new Uint8Array(start + maxLength);
  text.set(dictionary);
  const { put, end } = blockWriter(text, maxLength);
  const view = new DataView(text.buffer);
  const fourAt = (at: number): number => view.getUint32(at, true);
  /** For each hash of four bytes, the place where it last occurred, plus one. */
  const seen = new Uint16Array(2 ** hashBits);
  for (let at = 0; at + minMatch <= start; at += 1) seen[hashOf(fourAt(at))] = at + 1;
  const seenInDictionary = seen.slice();

  return (given) => {
    text.set(given, start);
    seen.set(seenInDictionary);
    const last = start + given.length;
    let done = start;
    for (let at = start; at < last - lastMatch; at += 1) {
      const hash = hashOf(fourAt(at));
      const before = (seen[hash] ?? 0) - 1;
      seen[hash] = at + 1;
      if (before < 0 || fourAt(before) !== fourAt(at)) continue;
      const back = at - before;
      let from = at;
      while (from > done && from > back && text[from - 1] === text[from - 1 - back]) from -= 1;
      let to = at + minMatch;
      while (to < last - lastLiterals && text[to] === text[to - back]) to += 1;
      put(done, from, back, to - from);
      done = to;
      while (at < to - 1) seen[hashOf(fourAt(++at))] = at + 1;
    }
    return end(done, last);
  };
};

/**
 * The number of bytes copied at a time: matches are long enough for this to pay off, and too short for a call of
 * `copy`.
 */
const atATime = 4;

const expander = (dictionary: Uint8Array, maxLength: number): Lz4['expanded'] => {
  const start = dictionary.length;
  const room = start + maxLength;
  // A copy may write past the end of a match; what follows overwrites these bytes.
  const text = Buffer.alloc(room + atATime);
  text.set(dictionary);
  const view = new DataView(text.buffer, text.byteOffset, text.length);
  return (block, from) => {
    let [at, end] = [from, start];
    for (;;) {
      const numbers = block[at++] ?? 0;
      let literals = numbers >>> 4;
      for (let hasMore = literals === maxNibble; hasMore; at += 1) {
        literals += block[at] ?? 0;
        hasMore = block[at] === maxByte;
      }
      if (end + literals > room) throw new Error('the text is too long');
      for (const to = at + literals; at < to; at += 1) text[end++] = block[at] ?? 0;
      if (at >= block.length) break;
      const back = (block[at] ?? 0) | ((block[at + 1] ?? 0) << 8);
      at += 2;
      let bytes = (numbers & maxNibble) + minMatch;
      for (let hasMore = bytes === maxNibble + minMatch; hasMore; at += 1) {
        bytes += block[at] ?? 0;
        hasMore = block[at] === maxByte;
      }
      if (back === 0 || back > end) throw new Error('a reference goes back beyond the start of the text');
      const to = end + bytes;
      if (to > room) throw new Error('the text is too long');
      if (back < atATime) for (; end < to; end += 1) text[end] = text[end - back] ?? 0;
      else for (; end < to; end += atATime) view.setInt32(end, view.getInt32(end - back, true), true);
      end = to;
    }
    if (at > block.length) throw new Error('the block ends too soon');
    return text.toString('utf8', start, end);
  };
};

/** For texts of at most `maxLength` bytes; the dictionary and such a text must together be shorter than 64 kB. */
export const lz4 = (dictionary: Uint8Array, maxLength: number): Lz4 => ({
  compressed: compressor(dictionary, maxLength),
  expanded: expander(dictionary, maxLength),
});
