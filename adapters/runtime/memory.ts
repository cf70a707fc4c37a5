import { getHeapStatistics, setFlagsFromString } from 'node:v8';

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
 * The factor by which the heap may grow over the live data of the last collection before the next one. On large
 * machines Node.js allows a factor of four: a hundred large answers then leave hundreds of megabytes of garbage. Growth
 * by half makes collections more frequent and shorter. While the whole process is small, the heap may grow by this many
 * bytes, up to three times its size: collecting a small heap every few megabytes took a fifth of the processor time of
 * a PUT.
 */
const [minGrowth, maxGrowth] = [0.5, 2];
const usualGrowth = 64 * 2 ** 20;
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
export const forgetLastMatch = (): void => void /./.test('.');
