/** Bytes that arrived and have not been taken yet, in one piece; what a long answer adds is copied about once. */
export interface ReceiveBuffer {
  readonly add: (chunk: Uint8Array) => void;
  readonly bytes: () => Buffer;
  /** Leaves these alone, the last of what arrived. */
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
