import { getHeapStatistics, setFlagsFromString } from 'node:v8';

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

/** Bytes that are collected up to a limit. */
interface BoundedBytes {
  /** Adds a chunk; false, without adding it, if the limit would be exceeded. */
  readonly add: (chunk: Uint8Array) => boolean;
  readonly bytes: () => Uint8Array<ArrayBuffer>;
}

const firstLength = 64 * 1024;

/**
 * Collects bytes in one buffer, of `expected` bytes if that many are announced. Chunks are copied: one takes far more memory
 * than its bytes if the sender sends one byte at a time.
 */
export const boundedBytes = (limit: number, expected = 0): BoundedBytes => {
  let buffer = new Uint8Array(expected);
  let length = 0;
  return {
    add: (chunk) => {
      const end = length + chunk.length;
      if (end > limit) return false;
      if (end > buffer.length) {
        const larger = new Uint8Array(Math.min(limit, Math.max(end, 2 * buffer.length, firstLength)));
        larger.set(buffer.subarray(0, length));
        buffer = larger;
      }
      buffer.set(chunk, length);
      length = end;
      return true;
    },
    bytes: () => buffer.subarray(0, length),
  };
};

/**
 * The text of an answer of at most so many bytes; throws if it is longer: a flood of data would keep a time limit from
 * ending it.
 */
export const textAtMost = async ({ body }: Response, limit: number): Promise<string> => {
  const answer = boundedBytes(limit);
  const chunks: AsyncIterable<Uint8Array> | null = body;
  for await (const chunk of chunks ?? []) if (!answer.add(chunk)) throw new Error('its answer is too long');
  return Buffer.from(answer.bytes()).toString('utf8');
};

/**
 * The factor by which the heap may grow over the live data of the last collection before the next one. On large
 * machines Node.js allows a factor of four: a hundred large answers then leave hundreds of megabytes of garbage. Growth
 * by half makes collections more frequent and shorter.
 */
const minGrowth = 0.5;
/**
 * While the whole process is small, the heap may grow by `usualGrowth` bytes, but to at most three times its size:
 * collecting a small heap every few megabytes took a fifth of the processor time of a PUT.
 */
const [usualGrowth, maxGrowth] = [64 * 2 ** 20, 2];
/** A process with less memory than this, including its threads, is small. */
const smallProcess = 280 * 2 ** 20;

/** How often the limit is adjusted, in milliseconds. */
const intervalMs = 200;

let growthPercent = 0;
const adjustGrowth = (): void => {
  const isSmall = process.memoryUsage.rss() < smallProcess;
  const growth = isSmall
    ? Math.max(minGrowth, Math.min(maxGrowth, usualGrowth / getHeapStatistics().used_heap_size))
    : minGrowth;
  const next = Math.round(growth * 10) * 10;
  if (next !== growthPercent) setFlagsFromString(`--heap-growing-percent=${next}`);
  growthPercent = next;
};

/** Keeps the garbage of this process, including its threads, in proportion to its live data. */
export const limitHeapGrowth = (): void => {
  adjustGrowth();
  setInterval(adjustGrowth, intervalMs).unref();
};

let isKeptSmall = false;
const setSmall = (): void => setFlagsFromString('--heap-growing-percent=10');

/** Collects garbage so often that the heap is hardly larger than its live data: for commands that read large documents. */
export const keepHeapSmall = (): void => {
  isKeptSmall = true;
  setSmall();
};

/** Runs this without the costs of a heap that is kept small. */
export const whileHeapMayGrow = <Result>(run: () => Result): Result => {
  if (!isKeptSmall) return run();
  setFlagsFromString('--heap-growing-percent=0');
  try {
    return run();
  } finally {
    setSmall();
  }
};

/**
 * Makes this thread drop the text of its last match: V8 keeps it for `RegExp.lastMatch` until another expression matches,
 * so that an erased text would stay in memory.
 */
export const forgetLastRegExpMatch = (): void => void /./.test('.');
