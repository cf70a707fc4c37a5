/** Collects bytes up to a limit, in one buffer: a body that comes byte by byte takes no more memory than another. */
export const boundedBytes = (limit: number) => {
  let buffer = Buffer.alloc(Math.min(limit, 65_536));
  let length = 0;
  return {
    /** False, and nothing is kept, when the limit would be passed. */
    add: (chunk: Uint8Array): boolean => {
      const total = length + chunk.length;
      if (total > limit) return false;
      if (total > buffer.length) {
        const larger = Buffer.alloc(Math.min(limit, Math.max(total, buffer.length * 2)));
        buffer.copy(larger, 0, 0, length);
        buffer = larger;
      }
      buffer.set(chunk, length);
      length = total;
      return true;
    },
    bytes: (): Uint8Array => buffer.subarray(0, length),
  };
};
