/** The bytes of a large body, in blocks of equal size of which the last may be partly filled. */
export class BodyBytes {
  readonly length: number;
  readonly #blocks: ReadonlyArray<Uint8Array>;
  readonly #blockSize: number;
  #current: Uint8Array;
  #start = 0;
  #end: number;

  constructor(blocks: ReadonlyArray<Uint8Array>, length: number) {
    this.#blocks = blocks;
    this.length = length;
    this.#current = blocks[0] ?? new Uint8Array();
    this.#blockSize = Math.max(1, this.#current.length);
    this.#end = Math.min(length, this.#current.length);
  }

  /** The byte at an offset; undefined beyond the end. Fast for consecutive offsets. */
  at(place: number): number | undefined {
    if (place < this.#start || place >= this.#end) {
      if (place >= this.length) return undefined;
      const index = Math.floor(place / this.#blockSize);
      this.#current = this.#blocks[index] ?? this.#current;
      this.#start = index * this.#blockSize;
      this.#end = Math.min(this.length, this.#start + this.#blockSize);
    }
    return this.#current[place - this.#start];
  }

  /** A copy of the bytes from `start` up to `end`. */
  copy(start: number, end: number): Buffer {
    const copied = Buffer.allocUnsafe(end - start);
    let place = start;
    while (place < end) {
      const offset = place % this.#blockSize;
      const block = this.#blocks[Math.floor(place / this.#blockSize)] ?? this.#current;
      const piece = block.subarray(offset, offset + end - place);
      copied.set(piece, place - start);
      place += piece.length;
    }
    return copied;
  }
}

/** The JSON is invalid in a way that scanning the bytes can detect; the parser detects the rest. */
export class BrokenJson extends Error {}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;

const isOpening = (byte: number | undefined): boolean => byte === 0x5b || byte === 0x7b;
const isClosing = (byte: number | undefined): boolean => byte === 0x5d || byte === 0x7d;
const isSpace = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** The offset of the first byte from `at` on that is not white space. */
export const afterSpace = (bytes: BodyBytes, at: number): number => {
  let offset = at;
  while (isSpace(bytes.at(offset))) offset += 1;
  return offset;
};

/** The offset after the string whose opening quote is at `at`. */
export const afterString = (bytes: BodyBytes, at: number): number => {
  let offset = at + 1;
  while (offset < bytes.length) {
    const byte = bytes.at(offset);
    if (byte === quote) return offset + 1;
    offset += byte === backslash ? 2 : 1;
  }
  throw new BrokenJson('unterminated string');
};

/** The offset of the comma or closing bracket after the value at `at`, or of the end. */
export const afterValue = (bytes: BodyBytes, at: number): number => {
  let depth = 0;
  let offset = at;
  while (offset < bytes.length) {
    const byte = bytes.at(offset);
    if (byte === quote) {
      offset = afterString(bytes, offset);
      continue;
    }
    if (depth === 0 && (byte === comma || isClosing(byte))) return offset;
    if (isOpening(byte)) depth += 1;
    else if (isClosing(byte)) depth -= 1;
    offset += 1;
  }
  return offset;
};

/** The number of values including the outermost, at most one too high per empty list or object; and the nesting depth. */
export const sizeOfJson = (bytes: BodyBytes): { readonly values: number; readonly depth: number } => {
  let values = 1;
  let deepest = 0;
  let depth = 0;
  for (let offset = 0; offset < bytes.length; offset += 1) {
    const byte = bytes.at(offset);
    if (byte === quote) offset = afterString(bytes, offset) - 1;
    else if (byte === comma) values += 1;
    else if (isOpening(byte)) {
      values += 1;
      depth += 1;
      if (depth > deepest) deepest = depth;
    } else if (isClosing(byte)) depth -= 1;
  }
  return { values, depth: deepest };
};
