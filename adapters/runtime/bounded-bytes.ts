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
