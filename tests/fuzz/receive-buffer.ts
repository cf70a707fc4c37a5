/** Received bytes that are not processed yet, contiguous; the bytes of a long answer are copied about once. */
export interface ReceiveBuffer {
  readonly add: (chunk: Uint8Array) => void;
  readonly bytes: () => Buffer;
  /** Keeps only these bytes, the last of the received ones. */
  readonly keep: (rest: Uint8Array) => void;
}

export const receiveBuffer = (): ReceiveBuffer => {
  let buffer = Buffer.alloc(0);
  let length = 0;
  return {
    add: (chunk) => {
      if (length + chunk.length > buffer.length) {
        const larger = Buffer.allocUnsafe(2 * (length + chunk.length));
        larger.set(buffer.subarray(0, length));
        buffer = larger;
      }
      buffer.set(chunk, length);
      length += chunk.length;
    },
    bytes: () => buffer.subarray(0, length),
    keep: (rest) => {
      buffer = Buffer.from(rest);
      length = buffer.length;
    },
  };
};
